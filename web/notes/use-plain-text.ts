import { itemLinks } from '../engine/item-links.ts'
import { applyChanges } from '../engine/notes/line-changes.ts'
import type { Store } from '../engine/store/store.ts'
import { useStored } from '../state/use-engine.tsx'
import { plainText, shownTitle } from './markdown/plain-text.ts'

/** The end of a snippet can lack the rest of a link. */
const cutLink = /!?\[([^[\]]*)\]\([^()\s]*$/

/** A snippet as it reads, with the current titles of the notes to which it links. */
export const usePlainText = (snippet: string): string =>
  plainText(useStored((store) => withTitles(snippet, store)).replace(cutLink, '$1'))

function withTitles(snippet: string, store: Store): string {
  const titles = [...itemLinks('note', snippet)].map(({ title, id, start, end }) => {
    return { from: start, to: end, insert: titleOf(id.toLowerCase(), title, store) }
  })
  return applyChanges(snippet, titles)
}

/** In a store that holds all notes, a missing one does not exist. */
function titleOf(id: string, written: string, store: Store): string {
  const note = store.note(id)
  if (note) return note.deletedAt === null ? shownTitle(note.title) : `${written} (deleted)`
  return store.isComplete ? `${written} (not found)` : written
}
