import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import { skipThis } from '../../engine/verbs/derived-changes.ts'
import { skip, stop } from '../../engine/verbs/plan.ts'
import type { Action } from './day-choice.tsx'

/** What can be done, in Move and in the review, to those of the tasks that repeat. */
export function repeatActions(
  tasks: readonly Task[],
  change: (changes: readonly NewChange[]) => unknown,
): Action[] {
  const repeats = tasks.filter(({ repeat }) => repeat !== null)
  if (repeats.length === 0) return []
  const skips = repeats.flatMap((task) => skipThis(task) ?? [])
  const label = tasks.length === 1 ? skip.label : 'Skip those that repeat'
  return [
    ...(skips.length > 0 ? [{ key: skip.key.slice(-1), label, run: () => change(skips) }] : []),
    { key: stop.key.slice(-1), label: stop.label, run: () => change(repeats.map(stop.make)) },
  ]
}
