import { deleteNote } from '../changes/delete.tsx'
import { useParts } from '../state/dashboard.tsx'
import { documentsOf } from './note-documents.ts'
import { shownTitle } from './plain-text.ts'

/** Returns the function that deletes a note of the server, with the text that is not saved yet. */
export function useDeleteNote() {
  const dashboard = useParts()
  return async (id: string) => {
    const document = documentsOf(dashboard).get(id)
    if (document?.isUnsaved) await document.save()
    const title = shownTitle(dashboard.store.note(id)?.title ?? '')
    dashboard.changes.make([deleteNote(id, title)], { isKept: true })
  }
}
