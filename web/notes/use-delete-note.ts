import { documentsOf } from '../engine/notes/note-documents.ts'
import { ofNote, remove } from '../engine/verbs/complete.ts'
import { useEngine } from '../state/use-engine.tsx'
import { shownTitle } from './markdown/plain-text.ts'

export function useDeleteNote() {
  const engine = useEngine()
  const { store } = engine
  return async (id: string) => {
    const document = documentsOf(engine).get(id)
    // Puts new text into the lists, so that they show the deletion too.
    document?.keepDraft()
    const saved = document?.isUnsaved && document.save()
    // The journal sends the deletion of a new note after its first save.
    if (store.stored(id)) await saved
    const title = shownTitle(store.note(id)?.title ?? '')
    engine.changes.make([remove.make({ _id: id }, ofNote(title))], { isKept: true })
  }
}
