import { itemLinks } from '../engine/item-links.ts'
import { applyChanges } from '../engine/notes/line-changes.ts'
import type { Store } from '../engine/store/store.ts'
import { useStored } from '../state/use-engine.tsx'
import { plainText, shownTitle } from './markdown/plain-text.ts'

/** A snippet can end within a link. */
const cutLink = /!?\[([^[\]]*)\]\([^()\s]*$/

/** A snippet without marks, with the current titles of linked notes. */
export const usePlainText = (snippet: string): string =>
  plainText(useStored((store) => withTitles(snippet, store)).replace(cutLink, '$1'))

function withTitles(snippet: string, store: Store): string {
  const titles = [...itemLinks('note', snippet)].map(({ title, id, start, end }) => {
    return { from: start, to: end, insert: titleOf(id.toLowerCase(), title, store) }
  })
  return applyChanges(snippet, titles)
}

/** If the store is complete, a missing note does not exist. */
function titleOf(id: string, written: string, store: Store): string {
  const note = store.note(id)
  if (note) return note.deletedAt === null ? shownTitle(note.title) : `${written} (deleted)`
  return store.isComplete ? `${written} (not found)` : written
}
