import { Link } from 'react-router'
import { useStore } from 'zustand'
import type { NoteSummary } from '#contract/notes.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { useEngine } from '../state/use-engine.tsx'
import { notePath } from '../views/note-path.ts'
import { titleOfText } from './markdown/plain-text.ts'
import { takeKeysOf } from './use-go-to-note.ts'

type UnsavedNotesProps = { notes: readonly NoteSummary[] | undefined; shown: string | undefined }

/** Unsaved notes that are not in the list, so that only this browser has them. */
export function UnsavedNotes({ notes = [], shown }: UnsavedNotesProps) {
  const engine = useEngine()
  const { store } = engine
  const failed = useStore(documentsOf(engine).failed)
  // A note that was deleted before its first save is shown if its text is rejected.
  const isDeleted = ({ id, state }: NoteDocument) =>
    store.note(id)?.deletedAt != null && state.is !== 'failed'
  const missing = failed.filter(
    (note) => note.id !== shown && !isDeleted(note) && !notes.some(({ _id }) => _id === note.id),
  )
  if (missing.length === 0) return
  return (
    <section className="notes-unsaved" aria-label="Only in this browser">
      <h2 className="soft small">Only in this browser</h2>
      <ul>
        {missing.map(({ id, text }) => (
          <li key={id}>
            <Link to={notePath(id)} onClick={takeKeysOf} className="note-item hovers">
              <span className="strong one-line" dir="auto">
                {titleOfText(text)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
