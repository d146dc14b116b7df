import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const reopened: Sentences = {
  done: (items) => <>Reopened {items}</>,
  undone: (item) => <>{item} is done again</>,
  allUndone: (items) => `${items} are done again`,
  failed: 'This task was not reopened.',
  leaves: true,
}

/** Makes a done task open again. */
export const reopen = ({ _id: item }: Pick<Task, '_id'>): NewChange => ({
  verb: 'reopen',
  item,
  set: { done: false },
})
