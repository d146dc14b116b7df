import type { LinkedLine, NewChange } from '../entry.ts'
import type { ItemSet } from '../items.ts'

/** Adds the task with this id that a line of a note became. */
export const link = (item: string, set: ItemSet, line: LinkedLine): NewChange => ({
  verb: 'link',
  item,
  set,
  line,
})
