import type { KeyboardEvent, MouseEvent } from 'react'

/** Drops the second click of a double click: the first may have moved something else to where it is. */
export function dropSecondClick(event: MouseEvent) {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}

export function ignoreRepeats(event: KeyboardEvent) {
  if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault()
}
