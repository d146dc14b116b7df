/**
 * Returns the function that says whether a key or the pointer was pressed since. Then the person is doing something else, and
 * nothing may open any more.
 */
export function watchPresses(): () => boolean {
  const pressed = new AbortController()
  const { signal } = pressed
  const press = (event: Event) => {
    if (!(event instanceof KeyboardEvent && event.repeat)) pressed.abort()
  }
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, press, { capture: true, signal })
  return () => signal.aborted
}
