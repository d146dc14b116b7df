import { useEffect, useRef } from 'react'
import { useLastOpening } from '../state/use-last-opening.ts'
import { loadPlanningDialogs } from '../tasks/planning/load-planning-dialogs.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { notLoaded, useChunk } from '../ui/use-chunk.ts'
import { useKeyDown } from '../ui/use-key-down.ts'

/** Also loaded ahead. */
export const loadFrameDialogs = () => import('./frame-dialogs.tsx')

/**
 * The dialogs that are used rarely, loaded when one is opened. Each opening has a dialog of its own, which stays while it
 * fades out. Offline they may be missing: then the next opening tries again.
 */
export function LaterDialogs() {
  const { isOpen, close, overlay, opening } = useLastOpening('moveTask', 'priority', 'review', 'tag')
  const [loaded] = useChunk(loadPlanningDialogs, isOpen)
  useHeldKeys(isOpen, loaded, close)
  if (!overlay || loaded === undefined) return null
  if (loaded === 'failed') return <NotLoaded open={isOpen} onClose={close} />
  const { default: Dialogs } = loaded
  return <Dialogs key={opening} overlay={overlay} />
}

/** Holds the keys that are pressed while a dialog is loaded, and presses them when it is there. Escape closes it before. */
function useHeldKeys(isOpen: boolean, loaded: object | 'failed' | undefined, close: () => unknown) {
  const held = useRef<string[]>([])
  const isLoading = isOpen && loaded === undefined
  useKeyDown(isLoading, (event) => {
    const { key, repeat, altKey, ctrlKey, metaKey } = event
    // Also the press that opened the dialog.
    if (event.defaultPrevented || altKey || ctrlKey || metaKey || key === 'Tab') return
    event.preventDefault()
    if (key === 'Escape') close()
    else if (!repeat) held.current.push(key)
  })
  // After the effects of the dialog, which listens by now.
  useEffect(() => {
    if (isLoading) return
    const keys = held.current.splice(0)
    if (isOpen) pressAgain(keys)
  }, [isLoading, isOpen])
}

async function pressAgain(keys: string[]) {
  for (const key of keys) {
    const target = document.activeElement ?? document
    const isFree = target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    )
    if (isFree && key.length === 1 && target instanceof HTMLInputElement) type(target, key)
    // The next key waits until the page is rendered: this one may have closed the dialog.
    await Promise.resolve()
  }
}

function type(field: HTMLInputElement, text: string) {
  const { selectionStart, selectionEnd } = field
  // Fields of days have no selection.
  if (selectionStart === null || selectionEnd === null) return
  field.setRangeText(text, selectionStart, selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The dialogs of the frame that are loaded when one is opened. */
export function LaterFrameDialogs() {
  const { isOpen, close, overlay, opening } = useLastOpening(
    'account',
    'deleteForGood',
    'keys',
    'logOut',
    'palette',
  )
  const [loaded] = useChunk(loadFrameDialogs, isOpen)
  useHeldKeys(isOpen, loaded, close)
  if (!overlay || loaded === undefined) return null
  if (loaded === 'failed') return <NotLoaded open={isOpen} onClose={close} />
  const shared = { open: isOpen, onClose: close }
  if (overlay.name === 'logOut') return <loaded.logOut key={opening} {...shared} unsaved={overlay.unsaved} />
  if (overlay.name === 'deleteForGood') return <loaded.deleteForGood key={opening} {...overlay} />
  const Shown = loaded[overlay.name]
  return <Shown key={opening} {...shared} />
}

const NotLoaded = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Not loaded">
    <div className="task-form">
      <Notice>{notLoaded}</Notice>
    </div>
  </Dialog>
)
