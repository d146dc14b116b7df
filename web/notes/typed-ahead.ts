import { useEffect } from 'react'
import { rememberNoteIntent } from '../api/note-intent.ts'

/** The text that was typed into a new note before its field was rendered. */
let held = ''

/** Takes the keys until the field of a new note does. */
let area: HTMLTextAreaElement | undefined

/** Adds to the text that the field of the next new note begins with. */
export function keepTyped(text: string) {
  held += text
}

/** Returns it once. */
export function takeTyped(): string {
  const text = held
  held = ''
  return text
}

/** Takes the keys for a new note until its field is rendered; otherwise they would act as single keys. */
export function typeAhead() {
  if (area) return
  area = document.createElement('textarea')
  area.className = 'visually-hidden'
  area.ariaLabel = 'Note'
  // Where lines are not wrapped, WebKit types a no-break space for a space, and sometimes on a busy machine too.
  area.style.whiteSpace = 'pre-wrap'
  document.body.append(area)
  area.focus({ preventScroll: true })
  // A window that loses the focus gives it back to the same element.
  area.addEventListener('blur', () => document.activeElement !== area && endTypeAhead())
  window.addEventListener('popstate', endTypeAhead, { once: true })
  window.addEventListener('pagehide', offerAfterReload, { once: true })
  // An open dialog keeps the focus.
  if (document.activeElement !== area) endTypeAhead()
}

/** Takes the keys for a note as long as it is rendered in the place of the note. */
export function TypeAhead() {
  useEffect(() => {
    typeAhead()
    return endTypeAhead
  }, [])
  return null
}

/** Whether keys have been typed that no field has taken yet. */
export const isTypingAhead = (): boolean => (area?.value ?? '') !== ''

/** The note that could not be shown is offered by the next page. */
function offerAfterReload() {
  endTypeAhead()
  const text = takeTyped()
  if (text) rememberNoteIntent(text)
}

/** Whether the keys are taken for a note that is being opened, and the person has not gone elsewhere. */
export const isAhead = (): boolean => area !== undefined

/** Keeps what was typed for the field of the new note. */
export function endTypeAhead() {
  const ended = area
  // In Chromium, removing it calls this function again.
  area = undefined
  keepTyped((ended?.value ?? '').replaceAll('\u00a0', ' '))
  ended?.remove()
}
