import { useEffect, useRef } from 'react'
import { rememberNoteIntent } from '../api/note-intent.ts'
import { hasTextFieldFocus, pressedKey } from './pressed-key.ts'
import { useKeyDown } from './use-key-down.ts'

// What is pressed while a part of the page is loaded is held for that part: otherwise it would act on the list. Keys are pressed again there.
// What is typed for a note goes into a hidden field, because phones, input methods and pasting need one.

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/**
 * Holds the keys that are pressed while an open part of the page is loaded, and presses them when it is there. Escape closes it
 * before. With `isBeside`, the part does not cover the page: keys that are typed into a field are not held.
 */
export function useHeldKeys(
  isOpen: boolean,
  loaded: object | 'failed' | undefined,
  close: () => unknown,
  isBeside = false,
) {
  const held = useRef<Press[]>([])
  const isLoading = isOpen && loaded === undefined
  // Before the keys of the page, which ignore handled ones.
  useKeyDown(
    isLoading,
    (event) => {
      const { key, code, shiftKey, repeat, altKey, ctrlKey, metaKey } = event
      const isComposed = pressedKey(event) === ''
      // On some layouts, that key is needed for # and @.
      const isModified = (altKey || ctrlKey || metaKey) && !event.getModifierState('AltGraph')
      if (isComposed || isModified || key === 'Tab') return
      if (isBeside && hasTextFieldFocus(event)) return
      event.preventDefault()
      if (key === 'Escape') close()
      else if (!repeat) held.current.push({ key, code, shiftKey })
    },
    true,
  )
  // After the effects of the part, which listens by now.
  useEffect(() => {
    if (isLoading) return
    const presses = held.current.splice(0)
    if (isOpen && loaded !== 'failed') pressAgain(presses)
  }, [isLoading, isOpen, loaded])
}

async function pressAgain(presses: Press[]) {
  for (const press of presses) {
    const event = new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true })
    // The key may move the focus.
    if ((document.activeElement ?? document).dispatchEvent(event)) act(press.key, document.activeElement)
    // The next key waits until the page is rendered: this one may have closed the dialog.
    await Promise.resolve()
  }
}

function act(key: string, target: Element | null) {
  if (key === 'Enter' && target instanceof HTMLButtonElement) target.click()
  if (!(target instanceof HTMLInputElement)) return
  if (key === 'Enter') target.form?.requestSubmit()
  else if (key === 'Backspace') document.execCommand('delete')
  else if (key.length === 1) document.execCommand('insertText', false, key)
}

/** Has the focus until the editor of a note does. */
let field: HTMLTextAreaElement | undefined
/** What was typed for a note and is no longer in the field, but not yet in the note. */
let kept = ''
/** Gets all that was typed and not taken. `isEnd`: what is typed next is another text. */
let follower: ((typed: string, isComposing: boolean, isEnd: boolean) => void) | undefined

/** Adds to the text that the next new note begins with. */
export function keepTyped(text: string) {
  kept += text
}

/** Returns it once. */
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
  if (kept || typedAhead()) tell()
}

const tell = (isComposing = false) => follower?.(kept + (typedAhead() ?? ''), isComposing, false)

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
  // A window that loses the focus gives it back to the same element.
  field.addEventListener('blur', () => document.activeElement !== field && endTypeAhead())
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
  if (text) rememberNoteIntent(text)
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
