import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Toasts are above the element and do not count as outside. */
export function usePressOutside(open: boolean, inside: RefObject<Element | null>, onPress: () => void) {
  const press = useEffectEvent(onPress)

  useEffect(() => {
    if (!open) return
    const onClick = ({ target }: MouseEvent) => {
      const isElsewhere = target instanceof Element && !target.closest('.toast-layer')
      if (isElsewhere && !inside.current?.contains(target)) press()
    }
    // On click, because after a pointerdown the click of a tap would go to the element that the closing has uncovered.
    // Capturing, so that the click that opened the element does not close it.
    document.addEventListener('click', onClick, { capture: true })
    return () => document.removeEventListener('click', onClick, { capture: true })
  }, [open, inside])
}
