import type { KeyboardEvent } from 'react'

/** Keeps a key that is held down on a button from pressing it again and again. */
export function ignoreRepeats(event: KeyboardEvent) {
  if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault()
}
