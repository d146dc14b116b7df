import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const restored: Sentences = {
  done: (items) => <>Restored {items}</>,
  undone: (item) => <>{item} is deleted again</>,
  allUndone: (items) => `${items} are deleted again`,
  failed: 'This task was not restored.',
  leaves: true,
}

export const reverted: Sentences = {
  done: (items) => <>Restored {items} to an earlier version</>,
  undone: (item) => <>{item} has its newer text again</>,
  allUndone: (items) => `${items} have their newer texts again`,
  failed: 'This text was not restored.',
}

/** Brings a deleted task back. */
export const restoreTask = ({ _id: item }: { _id: string }): NewChange => ({
  verb: 'restore',
  item,
  set: { deleted: false },
})

/** Brings a deleted note back, which has this title. */
export const restoreNote = (item: string, title: string): NewChange => ({
  verb: 'restore',
  item,
  kind: 'note',
  title,
  set: { deleted: false },
})
