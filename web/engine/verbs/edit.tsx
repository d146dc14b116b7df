import type { Task, TaskValues } from '#contract/tasks.ts'
import type { SpecifiedChange } from '../entry.ts'
import { differences } from '../items.ts'
import { failureText } from '../store/change-errors.ts'
import type { Sentences } from './sentences.ts'

export const edited: Sentences = {
  done: (items) => <>Changed {items}</>,
  undone: (item) => <>{item} is as it was</>,
  allUndone: (items) => `${items} are as they were`,
  failed: 'This task was not changed.',
  toasts: {
    done: 'Task updated successfully!',
    failed: (error) => failureText('Failed to update task. Please try again.', error),
  },
}

/** Gives a task the values that were typed over this version of it. */
export const edit = (base: Task, values: TaskValues): SpecifiedChange => {
  const { _id: item, version, title } = base
  return { verb: 'edit', item, title, base: version, set: differences({ ...base, ...values }, base) }
}
