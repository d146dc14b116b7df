import { useNavigate } from 'react-router'
import { noteBegun } from '../api/note-intent.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { notePath } from '../views/note-path.ts'
import { newNoteId } from './new-note.ts'
import { typeAhead } from './typed-ahead.ts'

/** Opens a new note, or the one that is open already and still empty. */
export function useWriteNote() {
  const navigate = useNavigate()
  const filterNotes = useDashboard((state) => state.filterNotes)
  return () => {
    const path = notePath(newNoteId())
    // A new note has no tag yet, and is in the list at once.
    filterNotes(undefined)
    // The browser's own location: the second click of a double click comes before the first has been rendered.
    navigate(path, { replace: path === location.pathname, state: { isNew: true } })
    typeAhead()
    noteBegun()
  }
}
