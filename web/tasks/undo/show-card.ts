/** In milliseconds: how long a view may take to show a card. */
const longestOpening = 3000

/** Focuses the card of a task; if it is not on show, in the view that `open` opens. */
export function showCard(id: string, open: () => void) {
  const focus = () => {
    const card = document.querySelector<HTMLElement>(`[data-task="${id}"]`)
    card?.focus()
    card?.scrollIntoView({ block: 'nearest' })
    return card !== null
  }
  if (focus()) return
  const shown = new MutationObserver(() => focus() && shown.disconnect())
  shown.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => shown.disconnect(), longestOpening)
  open()
}
