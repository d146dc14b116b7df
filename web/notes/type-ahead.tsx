import { useEffect } from 'react'
import { endTypeAhead, typeAhead } from './typed-ahead.ts'

/** Takes the keys for a note as long as it is rendered in the place of the note. */
export function TypeAhead() {
  useEffect(() => {
    typeAhead()
    return endTypeAhead
  }, [])
  return null
}
