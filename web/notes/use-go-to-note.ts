import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { noteBegun } from '../api/note-intent.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { isTouched } from '../ui/use-media.ts'
import { notePath } from '../views/note-path.ts'
import { newNoteId } from './new-note.ts'
import { typeAhead } from './typed-ahead.ts'

/** Opens a note, and takes the keys for it at once. */
export function useGoToNote() {
  const navigate = useNavigate()
  return (id: string) => {
    navigate(notePath(id))
    takeKeys()
  }
}

/** Takes the keys for the note that a link opens, unless it opens it in another tab. */
export function takeKeysOf({ ctrlKey, metaKey, shiftKey }: MouseEvent) {
  if (!ctrlKey && !metaKey && !shiftKey) takeKeys()
}

// With a finger, the first press shows a note, and its keyboard comes with the next.
const takeKeys = () => isTouched() || typeAhead()

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
