import { searchedTexts } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Item } from '../items.ts'
import { isNote } from './item-rules.ts'
import type { Store } from './store.ts'

/** The texts of an item that searches look in, which have its tags. Of a note its whole text, if that is held. */
export function textsOf(store: Pick<Store, 'text'>, item: Item): (string | null)[] {
  if (!isNote(item)) return searchedTexts(taskFields, item)
  const text = store.text(item._id)?.text
  return text === undefined ? [item.title, item.snippet] : [text]
}
