import { type RefObject, useEffect } from 'react'

/** Gives the style of an element the height of the on-screen keyboard, which covers the page and does not resize it. */
export function useOnScreenKeyboard(element: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { visualViewport: seen } = window
    if (!seen) return
    function measure() {
      if (!seen) return
      // An enlarged page is covered by nothing.
      const covered = seen.scale > 1 ? 0 : window.innerHeight - seen.height - seen.offsetTop
      element.current?.style.setProperty('--on-screen-keyboard', `${Math.max(0, Math.round(covered))}px`)
    }
    measure()
    seen.addEventListener('resize', measure)
    seen.addEventListener('scroll', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      seen.removeEventListener('scroll', measure)
    }
  }, [element])
}
