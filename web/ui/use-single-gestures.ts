import { useEffect } from 'react'

/** Text that is edited is one surface, whatever is rendered in it. */
const surfaces = 'button, a, input, select, textarea, label, summary, [role], [data-task], dialog, [popover]'

const surfaceOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? (target.closest('[contenteditable]') ?? target.closest(surfaces)) : null

/** In milliseconds and pixels: two taps within them are one gesture, as two clicks are for the system of a mouse. */
const [moment, near] = [500, 16]

/**
 * The second press of a double click or double tap, and an Enter or Space that is held down, act on nothing that the first press
 * has opened, uncovered or moved there.
 */
export function useSingleGestures() {
  useEffect(() => {
    const listeners = new AbortController()
    const on = <Type extends keyof WindowEventMap>(type: Type, act: (event: WindowEventMap[Type]) => void) =>
      window.addEventListener(type, act, { signal: listeners.signal, capture: true })
    let first = { surface: null as Element | null, x: 0, y: 0, at: Number.NEGATIVE_INFINITY }
    let isTouch = false
    let isDropped = false
    let held: Element | null = null

    const drop = (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const isAgain = ({ detail, clientX, clientY, timeStamp }: MouseEvent) =>
      detail > 1 ||
      (isTouch && timeStamp - first.at < moment && Math.hypot(clientX - first.x, clientY - first.y) < near)

    on('pointerdown', ({ pointerType }) => {
      isTouch = pointerType === 'touch'
    })
    on('mousedown', (event) => {
      const surface = surfaceOf(event.target)
      const isLater = isAgain(event)
      isDropped = isLater && surface !== first.surface
      if (isDropped) drop(event)
      if (!isLater) first = { surface, x: event.clientX, y: event.clientY, at: event.timeStamp }
    })
    // Not a click that a key or a script has made.
    for (const type of ['mouseup', 'click', 'dblclick'] as const)
      on(type, (event) => isDropped && event.detail > 0 && drop(event))
    on('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      const surface = surfaceOf(event.target)
      if (!event.repeat) held = surface
      else if (surface !== held) drop(event)
    })
    return () => listeners.abort()
  }, [])
}
