import { documentsOf } from '../engine/notes/note-documents.ts'
import { ofNote, remove } from '../engine/verbs/complete.ts'
import { useEngine } from '../state/use-engine.tsx'
import { shownTitle } from './markdown/plain-text.ts'

/** Returns the function that deletes a note, with the text that is not saved yet. */
export function useDeleteNote() {
  const engine = useEngine()
  const { store } = engine
  return async (id: string) => {
    const document = documentsOf(engine).get(id)
    // The lists have what was just typed, so that they show the deletion, too.
    document?.keepDraft()
    const saved = document?.isUnsaved && document.save()
    // The journal sends the deletion of a new note after its first save.
    if (store.stored(id)) await saved
    const title = shownTitle(store.note(id)?.title ?? '')
    engine.changes.make([remove.make({ _id: id }, ofNote(title))], { isKept: true })
  }
}
