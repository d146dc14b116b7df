import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useKeyDown } from '../../ui/use-key-down.ts'

/** In milliseconds. After this time without a press or a movement, the pointer is at rest. */
const restTime = 2000

/**
 * Whether a pointer is being used on the cards of a list, and the handlers of the element around the cards. A mouse is in use
 * until it leaves the list or rests. A finger is in use until it was lifted and rests. When a key is pressed, no pointer is in
 * use. After a press on a button beside the cards, the reader waits for the result of that button, so the pointer is in use
 * again only when it comes back to the list.
 */
export function usePointing() {
  const [isPointing, setPointing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isElsewhere = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function set(pointing: boolean) {
    clearTimeout(timer.current)
    setPointing(pointing)
  }
  const stop = () => set(false)
  function rest() {
    if (isElsewhere.current) return
    set(true)
    timer.current = setTimeout(stop, restTime)
  }
  useKeyDown(isPointing, stop)

  const handlers = {
    onPointerDown({ target }: PointerEvent) {
      isElsewhere.current = (target as Element).closest('[data-task], [data-gap]') === null
      // No rest before the pointer is lifted.
      set(!isElsewhere.current)
    },
    onPointerMove: ({ buttons }: PointerEvent) => buttons === 0 && rest(),
    onPointerUp: rest,
    // A mouse drags a card elsewhere; a finger scrolls.
    onPointerCancel: ({ pointerType }: PointerEvent) => (pointerType === 'mouse' ? stop() : rest()),
    onTouchMove: rest,
    onTouchEnd: rest,
    onPointerLeave({ pointerType }: PointerEvent) {
      // A finger leaves whenever it is lifted.
      if (pointerType === 'touch') return
      isElsewhere.current = false
      stop()
    },
  }
  return { isPointing, handlers }
}
