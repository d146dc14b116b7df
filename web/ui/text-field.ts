/** Input elements that take no text. */
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

/** Whether the event occurred in a field, where keys type or choose something. */
export function hasTextFieldFocus(event: Event): boolean {
  // Not the target: outside a shadow root, that is the root's host.
  const [target] = event.composedPath()
  return target instanceof Element && target.closest(textField) !== null
}
