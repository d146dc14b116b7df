import type { ItemSet, LinkedLine, NewChange } from '../store/pending-change.ts'

/** Adds the task with this id that a line of a note became. */
export const link = (item: string, set: ItemSet, line: LinkedLine): NewChange => ({
  verb: 'link',
  item,
  set,
  line,
})
