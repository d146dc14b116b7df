import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const stopped: Sentences = {
  done: (items) => <>Stopped repeating {items}</>,
  undone: (item) => <>{item} is repeated again</>,
  allUndone: (items) => `${items} are repeated again`,
  failed: 'This task was not changed.',
}

/** Lets a task repeat no longer. It stays open. */
export const stop = ({ _id: item, version: base }: Task): NewChange => ({
  verb: 'stop',
  item,
  base,
  set: { repeat: null },
})
