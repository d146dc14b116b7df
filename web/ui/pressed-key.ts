type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'isComposing' | 'keyCode'>

const isOfOtherScript = /(?![\p{ASCII}\p{Script=Latin}])[\p{L}\p{M}\p{N}]/u
/** Punctuation that Cyrillic, Greek, Hebrew, Arabic and Thai layouts have on these keys, and hardly any Latin one. */
const punctuation: Record<string, string> = { KeyQ: '/;,', KeyW: "'", Slash: '.,؟', Digit2: '/', Digit3: '-' }

/**
 * On a layout without Latin letters, the key that a US keyboard has in the same place: no other key types the letters of
 * shortcuts. Empty while an input method composes text, because the keys then belong to the input method.
 */
export function pressedKey({ key, code, shiftKey, isComposing, keyCode }: Press): string {
  // Some browsers report the Enter that ends a composition after its end, with this code.
  if (isComposing || keyCode === 229) return ''
  const isLatin = !isOfOtherScript.test(key) && !punctuation[code]?.includes(key)
  return (isLatin ? undefined : keyOnUsKeyboard(code, shiftKey)) ?? key
}

function keyOnUsKeyboard(code: string, shiftKey: boolean): string | undefined {
  if (code === 'Slash') return shiftKey ? '?' : '/'
  const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(code) ?? []
  return shiftKey ? letter : (letter?.toLowerCase() ?? digit)
}

export const isModified = (
  event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): boolean => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey

const notText = ['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file']
  .map((type) => `[type=${type}]`)
  .join()

const textField = `input:not(${notText}), textarea, select, [contenteditable]`

/** Whether a field has the focus, also in a shadow root. */
export function isTyping(): boolean {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused?.closest(textField) != null
}

export function hasTextFieldFocus(event: Event): boolean {
  // Not the target: outside a shadow root, that is the root's host.
  const [target] = event.composedPath()
  return target instanceof Element && target.closest(textField) !== null
}
