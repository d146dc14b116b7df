import type { Task } from '#contract/tasks.ts'

/** The five lists: where each comes from, and what its toasts say (specification sections 7 and 8). */
export const taskLists = {
  today: {
    endpoint: 'GET /list/getTodayTasks',
    none: 'No tasks for today',
    failed: 'Cannot get today tasks',
  },
  latest: {
    endpoint: 'GET /list/getLatestTasks',
    none: 'No latest tasks found',
    failed: 'Cannot get latest tasks',
  },
  high: {
    endpoint: 'GET /list/getHighPriorityTasks',
    found: 'High priority tasks fetched successfully',
    none: 'No high priority tasks found',
    failed: 'Cannot get high priority tasks',
  },
  medium: {
    endpoint: 'GET /list/getMediumPriorityTasks',
    none: 'No medium priority tasks found',
    failed: 'Cannot get medium priority tasks',
  },
  low: {
    endpoint: 'GET /list/getLowPriorityTasks',
    none: 'No low priority tasks found',
    failed: 'Cannot get low priority tasks',
  },
} as const

export type TaskListName = keyof typeof taskLists

export const taskListNames = Object.keys(taskLists) as TaskListName[]

type Rule = { belongs: (task: Task, today: string) => boolean; keys: (task: Task) => (string | number)[] }

const rank = { high: 0, medium: 1, low: 2 }
const byPriority = (priority: Task['priority']): Rule => ({
  belongs: (task) => task.priority === priority,
  keys: (task) => [task.dueDate, task._id],
})

/** What the server lists where, and in which order, so that a change shows without a reload. */
const rules: Record<TaskListName, Rule> = {
  today: {
    belongs: (task, today) => task.dueDate <= today,
    keys: (task) => [task.dueDate, rank[task.priority], task._id],
  },
  latest: { belongs: () => true, keys: (task) => [task._id] },
  high: byPriority('high'),
  medium: byPriority('medium'),
  low: byPriority('low'),
}

/** `tasks` with the stored task where it now belongs; beyond the end of what is loaded it comes with its page. */
export function withStored(
  list: TaskListName,
  tasks: Task[],
  stored: Task,
  { today, hasMore }: { today: string; hasMore: boolean },
): Task[] {
  const others = without(tasks, stored._id)
  if (!rules[list].belongs(stored, today)) return others
  const place = others.findIndex((task) => comesBefore(list, stored, task))
  if (place >= 0) return others.toSpliced(place, 0, stored)
  return hasMore ? others : [...others, stored]
}

export const without = (tasks: Task[], id: string): Task[] => tasks.filter((task) => task._id !== id)

function comesBefore(list: TaskListName, one: Task, other: Task): boolean {
  const { keys } = rules[list]
  const [ours, theirs] = [keys(one), keys(other)]
  const at = ours.findIndex((key, index) => key !== theirs[index])
  const isSmaller = (ours[at] ?? '') < (theirs[at] ?? '')
  return list === 'latest' ? !isSmaller : isSmaller
}
