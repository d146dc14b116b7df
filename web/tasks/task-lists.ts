import { compareInList, isListed, type ListName, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'

/** `tasks` with the stored task where it now belongs. Beyond the end of what is loaded it comes with its page. */
export function withStored(
  list: ListName,
  tasks: Task[],
  stored: Task,
  { today, hasMore }: { today: string; hasMore: boolean },
): Task[] {
  const others = without(tasks, stored._id)
  if (!isListed(lists[list], stored, today)) return others
  const place = others.findIndex((task) => compareInList(lists[list], stored, task) < 0)
  if (place >= 0) return others.toSpliced(place, 0, stored)
  return hasMore ? others : [...others, stored]
}

export const without = (tasks: Task[], id: string): Task[] => tasks.filter((task) => task._id !== id)
