import { type Change, type Entry, withChange } from '../entry.ts'
import { differences, type Item, type Values } from '../items.ts'

/** An entry, its item before and after it, and of both the values in which they differ. */
export type Made = {
  entry: Entry
  over: Item | undefined
  changed: Item | undefined
  before: Values
  after: Values
}

/** Makes an entry of a change to this version of its item. */
export function madeOf(change: Change & Omit<Entry, 'was' | 'item'>, over: Item | undefined): Made {
  const changed = withChange(over, { ...change, was: over && {} })
  const before = differencesOf(over, changed)
  // Without the text of a body, which is ticked as it is then.
  const was = over && ('set' in change ? before : {})
  return { entry: { ...change, was }, over, changed, before, after: differencesOf(changed, over) }
}

/** The values that undoing or redoing the creation of an item shows. */
function differencesOf(item: Item | undefined, other: Item | undefined): Values {
  if (item && other) return differences(item, other)
  return { deletedAt: item ? null : new Date().toISOString() }
}
