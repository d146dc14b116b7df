import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { noteBegun } from '../api/note-intent.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { typeAhead } from '../ui/held-keys.ts'
import { isTouched } from '../ui/use-media.ts'
import { notePath } from '../views/note-path.ts'
import { newNoteId } from './new-note.ts'

/** Opens a note, which takes the keys at once. */
export function useGoToNote() {
  const navigate = useNavigate()
  return (id: string) => {
    navigate(notePath(id))
    takeKeys()
  }
}

/** Takes the keys for the note of a link, unless it opens in another tab. */
export function takeKeysOf({ ctrlKey, metaKey, shiftKey }: MouseEvent) {
  if (!ctrlKey && !metaKey && !shiftKey) takeKeys()
}

// With a finger, the first press shows a note, and the next one its keyboard.
const takeKeys = () => isTouched() || typeAhead()

/** Opens a new note, or the one that is open already and still empty. */
export function useWriteNote() {
  const navigate = useNavigate()
  const filterNotes = useDashboard((state) => state.filterNotes)
  return () => {
    const path = notePath(newNoteId())
    // The list shows a new note, which has no tag yet.
    filterNotes(undefined)
    // The browser's location, because the second click of a double click comes before the first one is rendered.
    navigate(path, { replace: path === location.pathname, state: { isNew: true } })
    typeAhead()
    noteBegun()
  }
}
