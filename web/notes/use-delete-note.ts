import { deleteNote } from '../changes/delete.tsx'
import { useParts } from '../state/dashboard.tsx'
import { documentsOf } from './note-documents.ts'
import { shownTitle } from './plain-text.ts'

/** Returns the function that deletes a note, with the text that is not saved yet. */
export function useDeleteNote() {
  const dashboard = useParts()
  const { store } = dashboard
  return async (id: string) => {
    const document = documentsOf(dashboard).get(id)
    // The lists have what was just typed, so that they show the deletion, too.
    document?.keepDraft()
    const saved = document?.isUnsaved && document.save()
    // The journal sends the deletion of a new note after its first save.
    if (store.stored(id)) await saved
    const title = shownTitle(store.note(id)?.title ?? '')
    dashboard.changes.make([deleteNote(id, title)], { isKept: true })
  }
}
