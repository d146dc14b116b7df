import type { Task } from '#contract/tasks.ts'

/** Whether the time of a task has passed on the reader's clock, on the day on which it is due. */
export const hasPassed = (
  { dueDate, dueTime, doneAt }: Pick<Task, 'dueDate' | 'dueTime' | 'doneAt'>,
  today: string,
  now: string,
): boolean => doneAt === null && dueDate === today && dueTime !== null && dueTime < now
