import { isTyping } from './pressed-key.ts'

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>
/** A pressed key or a pasted text. */
export type Held = Press | string

const focusable = ':is(a[href], button, input, select, textarea):enabled, [tabindex]'

/** Presses what was held for a part of the page (held-keys.ts), when it is there. */
export async function pressAgain(presses: readonly Held[], isBeside: boolean) {
  for (const press of presses) {
    // The next key waits until the page is rendered: this one may have closed the dialog.
    await Promise.resolve()
    if (typeof press === 'string') document.execCommand('insertText', false, press)
    else pressKey(press, isBeside)
  }
}

function pressKey(press: Press, isBeside: boolean) {
  // The person went on in a field, which the keys were not for.
  const isElsewhere = isBeside && isTyping()
  const target = isElsewhere ? document.body : (document.activeElement ?? document.body)
  const event = new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true })
  // The key may move the focus.
  if (target.dispatchEvent(event) && !isElsewhere) act(press, document.activeElement)
}

function act({ key, shiftKey }: Press, target: Element | null) {
  if (key === 'Tab') return goOn(target, shiftKey ? -1 : 1)
  if (target instanceof HTMLButtonElement && (key === 'Enter' || key === ' ')) target.click()
  const isLine = target instanceof HTMLInputElement
  if (!isLine && !(target instanceof HTMLTextAreaElement)) return
  if (key === 'Enter' && isLine) target.form?.requestSubmit()
  else if (key === 'Enter') document.execCommand('insertLineBreak')
  else if (key === 'Backspace') document.execCommand('delete')
  else if (key.length === 1) document.execCommand('insertText', false, key)
}

/** Moves the focus in a dialog as Tab does. */
function goOn(target: Element | null, step: number) {
  const all = target?.closest('dialog')?.querySelectorAll<HTMLElement>(focusable) ?? []
  const stops = [...all].filter((each) => each.tabIndex >= 0 && each.checkVisibility())
  stops.at((stops.indexOf(target as HTMLElement) + step) % stops.length)?.focus()
}
