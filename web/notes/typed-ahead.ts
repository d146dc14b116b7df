import { useEffect } from 'react'
import { rememberNoteIntent } from '../api/note-intent.ts'

/** The text that was typed into a note before its field was rendered. */
let held = ''

/** Takes the keys until the editor does. */
let area: HTMLTextAreaElement | undefined
let receive: Receiver | undefined
/** While an input method composes, what waits for its end. */
let composed: PromiseWithResolvers<void> | undefined

/** Gets all that was typed and not taken. `isEnd`: what is typed next is another text. */
type Receiver = (typed: string, isEnd: boolean) => void

/** Adds to the text that the field of the next new note begins with. */
export function keepTyped(text: string) {
  held += text
}

/** Gives what is typed to a note that is shown, after each key. Returns the function that ends this. */
export function followTyped(receiver: Receiver) {
  receive = receiver
  tell()
  return () => {
    if (receive === receiver) receive = undefined
  }
}

function tell() {
  const typed = held + textOf(area)
  if (typed) receive?.(typed, false)
}

/** Waits, because an input method would lose the text that it is composing. */
export const untilComposed = async (): Promise<void> => await composed?.promise

/** Returns it once. */
export function takeTyped(): string {
  const text = held
  held = ''
  return text
}

/** Takes the keys for a note until its editor is rendered; otherwise they would act as single keys. */
export function typeAhead({ isShown } = { isShown: false }) {
  if (!isShown && receive) {
    // What is typed now is for the note that is being opened.
    endTypeAhead()
    receive = undefined
  }
  if (area) return
  area = document.createElement('textarea')
  area.className = 'visually-hidden'
  area.ariaLabel = 'Note'
  // Where lines are not wrapped, WebKit types a no-break space for a space, and sometimes on a busy machine too.
  area.style.whiteSpace = 'pre-wrap'
  // Below the page, a key would scroll to it.
  Object.assign(area.style, { position: 'fixed', top: '0' })
  area.addEventListener('input', tell)
  area.addEventListener('compositionstart', () => (composed = Promise.withResolvers()))
  area.addEventListener('compositionend', endComposition)
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
export const isTypingAhead = (): boolean => textOf(area) !== ''

/** The note that could not be shown is offered by the next page. */
function offerAfterReload() {
  endTypeAhead()
  const text = takeTyped()
  if (text) rememberNoteIntent(text)
}

/** Whether the keys are taken for a note that is being opened, and the person has not gone elsewhere. */
export const isAhead = (): boolean => area !== undefined

/** Keeps what was typed for the field of the note, unless the note is shown and has it. */
export function endTypeAhead() {
  const ended = area
  // In Chromium, removing it calls this function again.
  area = undefined
  endComposition()
  keepTyped(textOf(ended))
  if (ended) receive?.(takeTyped(), true)
  ended?.remove()
}

function endComposition() {
  composed?.resolve()
  composed = undefined
}

const textOf = (field: typeof area) => (field?.value ?? '').replaceAll('\u00a0', ' ')
