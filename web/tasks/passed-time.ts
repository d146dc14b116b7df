import type { Task } from '#contract/tasks.ts'

export const hasPassed = (
  { dueDate, dueTime, doneAt }: Pick<Task, 'dueDate' | 'dueTime' | 'doneAt'>,
  today: string,
  now: string,
): boolean => doneAt === null && dueDate === today && dueTime !== null && dueTime < now
