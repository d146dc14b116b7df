import type { CheckLine } from '#contract/check-lines.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import { edited } from './edit.tsx'
import type { Sentences } from './sentences.ts'

export const ticked: Sentences = { ...edited, failed: 'This line was not changed.' }

/** Ticks a line of a task's body, or unticks it, also if other lines were changed meanwhile. */
export const tick = ({ _id: item }: Task, line: CheckLine, checked: boolean): NewChange => ({
  verb: 'tick',
  item,
  check: { ...line, checked },
})
