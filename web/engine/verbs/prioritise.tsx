import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const prioritised: Sentences = {
  done: (items, priority) => (
    <>
      Changed {items} to {priority}
    </>
  ),
  undone: (item) => <>{item} has its earlier priority again</>,
  allUndone: (items) => `${items} have their earlier priorities again`,
  failed: 'This task was not changed.',
}

/** Gives a task another priority. */
export const prioritise = ({ _id: item, version: base }: Task, priority: Priority): NewChange => ({
  verb: 'prioritise',
  to: priority,
  item,
  base,
  set: { priority },
})
