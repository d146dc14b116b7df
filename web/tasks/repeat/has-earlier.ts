import { daysAfter } from '#contract/days.ts'
import { keptFor } from '#contract/limits.ts'
import { laterDays } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'

const daysKept = keptFor / 86_400_000

/**
 * Whether an occurrence of a repeated task was completed, or missed in the time of which the server knows it, as far as the task says.
 * A series has the id of its first task.
 */
export function hasEarlier(task: Task, today: string): boolean {
  const { _id, series, doneAt } = task
  if (doneAt !== null || (series !== null && series !== _id)) return true
  return laterDays(task, daysAfter(today, -daysKept), daysAfter(today, -1)).length > 0
}
