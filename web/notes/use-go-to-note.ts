import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { notePath } from './note-path.ts'
import { isTouched, typeAhead } from './typed-ahead.ts'

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

const takeKeys = () => isTouched() || typeAhead()
