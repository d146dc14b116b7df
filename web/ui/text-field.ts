/** Input elements that take no text. */
const notText = ['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file']
  .map((type) => `[type=${type}]`)
  .join()

/** Whether the event occurred in a field, where keys type or choose something. */
export function hasTextFieldFocus(event: Event): boolean {
  // Not the target: outside a shadow root, that is the root's host.
  const [target] = event.composedPath()
  return (
    target instanceof Element &&
    target.closest(`input:not(${notText}), textarea, select, [contenteditable]`) !== null
  )
}
