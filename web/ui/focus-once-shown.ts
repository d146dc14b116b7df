import { isTyping } from './pressed-key.ts'

/** In milliseconds: how long a view may take to show what it is opened for. */
const longestOpening = 3000

/** Focuses something; if it is not on show, `open` shows it, and somebody who types in a field by then keeps the focus. */
export function focusOnceShown(focus: () => boolean, open: () => void) {
  if (focus()) return
  const shown = new MutationObserver(() => (isTyping() || focus()) && shown.disconnect())
  shown.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => shown.disconnect(), longestOpening)
  open()
}
