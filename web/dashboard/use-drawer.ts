import { useEffect, useState } from 'react'

/** Below 992 px the sidebar is a drawer: focus goes into it, stays there and comes back; Escape closes it. */
export function useDrawer() {
  const [open, setOpen] = useState(false)

  useEffect(() => {
    if (!open) return
    const opener = document.activeElement as HTMLElement | null
    const close = document.querySelector<HTMLElement>('.drawer-close')
    close?.focus()

    const hide = () => setOpen(false)
    const hideOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    // What is not inert, such as a toast, would be next after the drawer's end.
    const keepInside = ({ target }: FocusEvent) =>
      target instanceof Element && !target.closest('.sidebar, dialog') && close?.focus()
    const wide = matchMedia('(width >= 992px)')

    document.addEventListener('keydown', hideOnEscape)
    document.addEventListener('focusin', keepInside)
    wide.addEventListener('change', hide)
    return () => {
      document.removeEventListener('keydown', hideOnEscape)
      document.removeEventListener('focusin', keepInside)
      wide.removeEventListener('change', hide)
      opener?.focus()
    }
  }, [open])

  return { open, show: () => setOpen(true), hide: () => setOpen(false) }
}
