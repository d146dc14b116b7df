import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { IconButton } from './button.tsx'
import { useSignal } from './use-signal.ts'
import './dialog.css'

export type OpenProps = { open: boolean; onClose: () => void }

type DialogProps = OpenProps & { title: string; children: ReactNode }

/** The platform keeps the focus inside, closes the dialog on Escape, and restores the focus. */
export function Dialog({ open, onClose, title, children }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    if (!open) return close(dialog.current)
    dialog.current?.showModal()
    // By default the Close button would have the focus, and a typed space would press it.
    const first = dialog.current?.querySelector<HTMLElement>('[data-focus-first], [name]')
    ;(first ?? dialog.current)?.focus()
  }, [open])

  // Another dialog may take its place: the focus returns before.
  useLayoutEffect(() => {
    const shown = dialog.current
    return () => close(shown)
  }, [])
  useClosedByBack(open, onClose)

  /** On Escape or Android's Back. The browser reports the closing later, and a key that is pressed until then would be lost. */
  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    onClose()
  }

  /** Also without a `cancel` before it: after a second Escape in a row the browser closes the dialog itself. */
  function closed({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
    // It may be open again by now.
    if (!currentTarget.open) onClose()
  }

  return (
    <dialog
      ref={dialog}
      className="dialog edged"
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={cancel}
      onClose={closed}
    >
      <header className="dialog-header row airy apart">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

/** Back closes what is open. Not in every browser yet: there it changes the view below. */
export function useClosedByBack(isOpen: boolean, onClose: () => unknown) {
  const closeFirst = useEffectEvent((event: NavigateEvent) => {
    const isBack = event.destination.index < (navigation.currentEntry?.index ?? 0)
    if (event.navigationType !== 'traverse' || !isBack || !event.cancelable) return
    event.preventDefault()
    onClose()
  })
  useSignal([isOpen], (signal) => {
    if (isOpen && 'navigation' in window) navigation.addEventListener('navigate', closeFirst, { signal })
  })
}

function close(dialog: HTMLDialogElement | null) {
  dialog?.close()
  // If nothing had the focus before, a field would keep it while the dialog fades out, and take the next key.
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && dialog?.contains(activeElement)) activeElement.blur()
}
