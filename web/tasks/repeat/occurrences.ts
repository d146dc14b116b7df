import { daysAfter } from '#contract/days.ts'
import { keptFor } from '#contract/limits.ts'
import { comingDays, laterDays } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'

export type Coming = { task: Task; day: string }

const daysShown = 35

/** The most tasks whose days are computed, the soonest first. */
const mostTasks = 500

let last: { tasks: readonly Task[]; today: string; coming: readonly Coming[] } | undefined

/** Soonest first. The array is the same until a task changes. */
export function comingOf(tasks: readonly Task[], today: string): readonly Coming[] {
  if (last?.tasks !== tasks || last.today !== today) last = { tasks, today, coming: compute(tasks, today) }
  return last.coming
}

function compute(tasks: readonly Task[], today: string): Coming[] {
  const end = daysAfter(today, daysShown)
  const keyOf = ({ series, _id }: Task, day: string | null) => `${series ?? _id} ${day}`
  // Where an undo has left two open tasks of a series, each of their days is shown once.
  const taken = new Set(tasks.map((task) => keyOf(task, task.repeatDay)))
  const coming: Coming[] = []
  for (const task of tasks.slice(0, mostTasks))
    for (const day of comingDays(task, today, end)) {
      const key = keyOf(task, day)
      if (!taken.has(key)) coming.push({ task, day })
      taken.add(key)
    }
  return coming.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))
}

const daysKept = keptFor / 86_400_000

/** Judges by the task alone. A series has the id of its first task. */
export function hasEarlier(task: Task, today: string): boolean {
  const { _id, series, doneAt } = task
  if (doneAt !== null || (series !== null && series !== _id)) return true
  return laterDays(task, daysAfter(today, -daysKept), daysAfter(today, -1)).length > 0
}
