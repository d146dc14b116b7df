import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { isTouched } from '../ui/use-media.ts'
import { notePath } from '../views/note-path.ts'
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
