/**
 * Returns the function that says whether a key or the pointer was pressed since. Then the person is doing something else, and
 * nothing may open any more. Another press of the same button is nothing else.
 */
export function watchPresses(button?: Element): () => boolean {
  const pressed = new AbortController()
  const { signal } = pressed
  function press(event: Event) {
    const isKey = event instanceof KeyboardEvent
    const isSame = button?.contains(event.target as Node) && (!isKey || ['Enter', ' '].includes(event.key))
    if (!isSame && !(isKey && event.repeat)) pressed.abort()
  }
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, press, { capture: true, signal })
  return () => signal.aborted
}
