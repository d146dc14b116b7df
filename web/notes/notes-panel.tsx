import { useEffect } from 'react'
import { useMatch } from 'react-router'
import { useParts } from '../state/dashboard.tsx'
import { useSessionCheck } from '../tasks/list/use-session-check.ts'
import { documentsOf } from './note-documents.ts'
import { loadEditor } from './note-field.ts'
import { NoteView } from './note-view.tsx'
import { NotesList } from './notes-list.tsx'
import './notes-panel.css'
import './notes-print.css'

/** The notes: the list left and the note right; on a narrow screen one after the other. */
export default function NotesPanel() {
  useSessionCheck()
  const dashboard = useParts()
  const id = useMatch('/dashboard/notes/:id')?.params.id
  useEffect(() => documentsOf(dashboard).start(), [dashboard])
  useEffect(() => void loadEditor(), [])
  useEffect(() => {
    // The note that had the focus has left the page.
    if (!id && document.activeElement === document.body) document.getElementById('panel-title')?.focus()
  }, [id])

  return (
    <div className="notes" data-shows={id ? 'note' : 'list'}>
      <NotesList shown={id} />
      {id ? <NoteView key={id} id={id} /> : <p className="notes-nothing">Choose a note, or write one.</p>}
    </div>
  )
}
