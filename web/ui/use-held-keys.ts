import { useEffect, useRef } from 'react'
import { hasTextFieldFocus, pressedKey } from './pressed-key.ts'
import { useKeyDown } from './use-key-down.ts'

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
  const held = useRef<Held[]>([])
  const isLoading = isOpen && loaded === undefined
  // Before the keys of the page, which ignore handled ones.
  useKeyDown(
    isLoading,
    (event) => {
      const { key, code, shiftKey, repeat, altKey, ctrlKey, metaKey } = event
      const isComposed = pressedKey(event) === ''
      if (isComposed || altKey || ctrlKey || metaKey || key === 'Tab') return
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
    const keys = held.current.splice(0)
    if (isOpen && loaded !== 'failed') pressAgain(keys)
  }, [isLoading, isOpen, loaded])
}

type Held = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

async function pressAgain(keys: Held[]) {
  for (const { key, code, shiftKey } of keys) {
    const isFree = (document.activeElement ?? document).dispatchEvent(
      new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }),
    )
    // Which the key may have moved.
    const target = document.activeElement
    if (isFree && key === 'Enter' && target instanceof HTMLButtonElement) target.click()
    if (isFree && key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit()
    if (isFree && key.length === 1 && target instanceof HTMLInputElement) type(target, key)
    // The next key waits until the page is rendered: this one may have closed the dialog.
    await Promise.resolve()
  }
}

function type(field: HTMLInputElement, text: string) {
  const { selectionStart, selectionEnd } = field
  // Fields of days have no selection.
  if (selectionStart === null || selectionEnd === null) return
  field.setRangeText(text, selectionStart, selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
