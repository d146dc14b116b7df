/** Whether the person has pressed anything since, so that nothing may open any more. Presses of `button` do not count. */
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
