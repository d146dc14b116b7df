/** In milliseconds: how long a view may take to show what it is opened for. */
const longestOpening = 3000

/** Focuses something; if it is not on show, `open` shows it. */
export function focusOnceShown(focus: () => boolean, open: () => void) {
  if (focus()) return
  const shown = new MutationObserver(() => focus() && shown.disconnect())
  shown.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => shown.disconnect(), longestOpening)
  open()
}
