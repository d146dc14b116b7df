import { compareInList, isListed, type ListName, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'

/** The current day, and the last task of the newest page if there are more: the next page begins after its position. */
export type Extent = { today: string; end: Task | undefined }

/**
 * `tasks` with the stored task where it now belongs. Behind the end of what is loaded it comes with its page. If a newer
 * version of the task is in the list, nothing changes.
 */
export function withStored(list: ListName, tasks: Task[], stored: Task, { today, end }: Extent): Task[] {
  if (tasks.some((task) => task._id === stored._id && task.version > stored.version)) return tasks
  const others = without(tasks, stored._id)
  if (!isListed(lists[list], stored, today)) return others
  if (end && compareInList(lists[list], stored, end) > 0) return others
  const place = others.findIndex((task) => compareInList(lists[list], stored, task) < 0)
  return others.toSpliced(place < 0 ? others.length : place, 0, stored)
}

/** `tasks` itself if the task is not in it. */
export const without = (tasks: Task[], id: string): Task[] =>
  tasks.some((task) => task._id === id) ? tasks.filter((task) => task._id !== id) : tasks
