import { useEffect, useRef, useState } from 'react'

/** Below 992 px the sidebar is a drawer: focus goes into it and comes back, Escape closes it. */
export function useDrawer() {
  const [open, setOpen] = useState(false)
  const opener = useRef<Element>(null)

  useEffect(() => {
    if (!open) return
    opener.current = document.activeElement
    document.querySelector<HTMLElement>('.drawer-close')?.focus()

    const hide = () => setOpen(false)
    const hideOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const wide = matchMedia('(width >= 992px)')
    document.addEventListener('keydown', hideOnEscape)
    wide.addEventListener('change', hide)
    return () => {
      document.removeEventListener('keydown', hideOnEscape)
      wide.removeEventListener('change', hide)
      if (opener.current instanceof HTMLElement) opener.current.focus()
    }
  }, [open])

  return { open, show: () => setOpen(true), hide: () => setOpen(false) }
}
