import { type RefObject, useEffect } from 'react'
import { useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { useCloseRequest } from '../ui/use-close-request.ts'
import { usePressOutside } from '../ui/use-press-outside.ts'

/** Below 768 px the sidebar is a drawer: focus goes to its Close button, stays inside and returns when it closes. */
export function useDrawer(
  drawer: RefObject<HTMLElement | null>,
  closeButton: RefObject<HTMLButtonElement | null>,
) {
  const open = useIsOpen('drawer')
  const closeOverlay = useDashboard((state) => state.close)
  useCloseRequest(open, () => closeOverlay('drawer'))
  usePressOutside(open, drawer, () => closeOverlay('drawer'))

  useEffect(() => {
    if (!open) return
    const opener = document.activeElement as HTMLElement | null
    closeButton.current?.focus()

    // After its last element the focus would move to an element that is not inert, such as a toast.
    const keepInside = ({ target }: FocusEvent) => {
      const isInside = drawer.current?.contains(target as Node)
      if (!isInside) closeButton.current?.focus()
    }
    const close = () => closeOverlay('drawer')
    const wide = matchMedia('(width >= 768px)')

    document.addEventListener('focusin', keepInside)
    wide.addEventListener('change', close)
    return () => {
      document.removeEventListener('focusin', keepInside)
      wide.removeEventListener('change', close)
      opener?.focus()
    }
  }, [open, closeOverlay, drawer, closeButton])
}
