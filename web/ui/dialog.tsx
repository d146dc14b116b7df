import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon.tsx'
import './dialog.css'

/** A modal `<dialog>`: the platform keeps the focus inside, closes it on Escape or Android's Back, and restores the focus. */
export function Dialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    if (!open) return dialog.current?.close()
    dialog.current?.showModal()
    // By default the Close button would have the focus.
    dialog.current?.querySelector<HTMLElement>('[data-focus-first], [name]')?.focus()
  }, [open])

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <header className="dialog-header">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
