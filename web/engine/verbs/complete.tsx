import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const completed: Sentences = {
  done: (items) => <>Completed {items}</>,
  undone: (item) => <>{item} is open again</>,
  allUndone: (items) => `${items} are open again`,
  last: (item) => <>Completed {item}. That was the last one</>,
  failed: 'This task was not completed.',
  leaves: true,
}

/** Completes a task. */
export const complete = ({ _id: item }: Pick<Task, '_id'>): NewChange => ({
  verb: 'complete',
  item,
  set: { done: true },
})
