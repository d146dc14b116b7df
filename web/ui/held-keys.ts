import { useEffect, useState } from 'react'
import { rememberNoteIntent } from '../api/note-intent.ts'
import { isSessionOver } from '../api/session.ts'
import { useClosedByBack } from './dialog.tsx'
import type { Held, pressAgain } from './press-again.ts'
import { hasTextFieldFocus, pressedKey } from './pressed-key.ts'
import { useKeyDown } from './use-key-down.ts'
import { useSignal } from './use-signal.ts'

// What is pressed while a part of the page is loaded is held for that part: otherwise it would act on the list. Keys are pressed again there.
// What is typed for a note goes into a hidden field, because phones, input methods and pasting need one.

const heldKey = /^(.|Backspace|Delete|End|Enter|Escape|Home|Tab|(Arrow|Page)(Up|Down|Left|Right))$/u
/** There, Option types characters. */
const isMac = /^Mac/.test(navigator.platform)

type HeldKeysProps = {
  part: { state: { getState: () => { pressAgain: typeof pressAgain } | 'failed' | undefined } }
  onClose: () => unknown
  /** The part does not cover the page: keys that are typed into a field are not held. */
  isBeside?: boolean
}

/**
 * Rendered while something is open whose part of the page is loaded: holds what is pressed, and presses it when the part is there. Escape
 * and Back close it before.
 */
export function HeldKeys({ part, onClose, isBeside = false }: HeldKeysProps) {
  const [held] = useState<Held[]>([])
  useClosedByBack(!isBeside, onClose)
  // Before the keys of the page, which ignore handled ones.
  useKeyDown(
    true,
    (event) => {
      const { key, code, shiftKey, repeat, altKey, ctrlKey, metaKey } = event
      const isComposed = pressedKey(event) === ''
      // On some layouts, that key is needed for # and @.
      const isTyped = event.getModifierState('AltGraph') || (isMac && !ctrlKey && !metaKey)
      const isModified = (altKey || ctrlKey || metaKey) && !isTyped
      if (isComposed || isModified || !heldKey.test(key)) return
      if (isBeside && (key === 'Tab' || hasTextFieldFocus(event))) return
      event.preventDefault()
      if (key === 'Escape') onClose()
      else if (!repeat) held.push({ key, code, shiftKey })
    },
    true,
  )
  useSignal([held, isBeside], (signal) => {
    const paste = (event: ClipboardEvent) => {
      event.preventDefault()
      held.push(event.clipboardData?.getData('text/plain') ?? '')
    }
    if (!isBeside) document.addEventListener('paste', paste, { capture: true, signal })
  })
  useEffect(
    () => () => {
      const loaded = part.state.getState()
      if (loaded && loaded !== 'failed') loaded.pressAgain(held, isBeside)
    },
    [part, held, isBeside],
  )
  return null
}

/** Has the focus until the editor of a note does. */
let field: HTMLTextAreaElement | undefined
/** What was typed for a note and is no longer in the field, but not yet in the note. */
let kept = ''
/**
 * Gets all that was typed and not taken. `isUsed`: the field cannot be replaced, because of an input method or a dialog. `isEnd`: what is
 * typed next is another text.
 */
let follower: ((typed: string, isUsed: boolean, isEnd: boolean) => void) | undefined

/** Adds to the text that the next new note begins with. */
export function keepTyped(text: string) {
  kept += text
}

/** All that was typed and is not in a note yet. */
export const typedText = (): string => kept + (typedAhead() ?? '')

/** Returns what is kept once. */
export function takeTyped(): string {
  const text = kept
  kept = ''
  return text
}

/** What the field has; undefined if the person has gone elsewhere. */
export const typedAhead = (): string | undefined => field?.value.replaceAll('\u00a0', ' ')

/** Gives what is typed to a note that is shown, after each key, or to none any longer. */
export function followTyped(next: typeof follower) {
  follower = next
  if (typedText()) tell()
}

const tell = (isUsed = false) => follower?.(typedText(), isUsed, false)

/** Takes the keys for the note that is being opened, or that `isShown`. */
export function typeAhead(isShown = false) {
  if (!isShown && follower) {
    endTypeAhead()
    follower = undefined
  }
  if (field) return
  field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.ariaLabel = 'Note'
  // Where lines are not wrapped, WebKit types a no-break space for a space, and sometimes on a busy machine too. Below the page, a key
  // would scroll to it.
  Object.assign(field.style, { whiteSpace: 'pre-wrap', position: 'fixed', top: '0' })
  document.body.append(field)
  field.focus({ preventScroll: true })
  field.addEventListener('input', (event) => tell((event as InputEvent).isComposing))
  field.addEventListener('compositionend', () => tell())
  field.addEventListener('focus', () => tell())
  field.addEventListener('blur', ({ relatedTarget: next }) => {
    // A window that loses the focus gives it back to the same element.
    if (document.activeElement === field) return
    // A dialog gives it back when it closes.
    if (next instanceof Element && next.closest('dialog')) tell(true)
    else endTypeAhead()
  })
  window.addEventListener('popstate', offer, { once: true })
  window.addEventListener('pagehide', offer, { once: true })
  // An open dialog keeps the focus.
  if (document.activeElement !== field) endTypeAhead()
}

/** Takes the keys for a note as long as it is rendered in the place of the note. */
export function TypeAhead() {
  useEffect(() => {
    typeAhead()
    return endTypeAhead
  }, [])
  return null
}

/** Offers the note that could not be shown, in another view or in the next page. */
function offer() {
  endTypeAhead()
  const text = takeTyped()
  if (text && !isSessionOver()) rememberNoteIntent(text)
}

/** Keeps what was typed for the note that is being opened. The note that is shown has it. */
export function endTypeAhead() {
  const ended = field
  kept += typedAhead() ?? ''
  // In Chromium, removing it calls this function again.
  field = undefined
  if (ended) follower?.(takeTyped(), false, true)
  ended?.remove()
}
