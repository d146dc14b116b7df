import { type ComponentType, useEffect } from 'react'
import { rest } from '../parts/parts.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { useLastOpening } from '../state/use-last-opening.ts'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { HeldKeys } from '../ui/held-keys.ts'
import { usePart } from '../ui/use-part.ts'

/** The dialogs that are used rarely, and what takes files that are dragged over the page. */
export function RestDialogs() {
  const engine = useEngine()
  const open = useDashboard((state) => state.open)
  useEffect(() => {
    // Until then, the browser would leave the page for a file that is dropped.
    window.ondragover = (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    const take = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') &&
      rest.load().then(
        ({ takeFiles }) => takeFiles(engine, open),
        () => {},
      )
    window.addEventListener('dragenter', take)
    return () => window.removeEventListener('dragenter', take)
  }, [engine, open])
  return (
    <>
      <Newest names={frameDialogs} />
      <Newest names={planningDialogs} />
    </>
  )
}

const frameDialogs = [
  'account',
  'deleteForGood',
  'importFiles',
  'keys',
  'logOut',
  'palette',
  'removeTag',
  'renameTag',
] as const
const planningDialogs = ['earlier', 'moveTask', 'priority', 'review', 'tag'] as const

type DialogName = (typeof frameDialogs | typeof planningDialogs)[number]

/**
 * The dialog of these that was opened last. Each opening has a dialog of its own, which stays while it
 * fades out. Offline they may be missing: then the next opening tries again.
 */
function Newest({ names }: { names: readonly DialogName[] }) {
  const { isOpen, close, overlay, opening } = useLastOpening(...names)
  const loaded = usePart(rest, isOpen)
  const shared = { open: isOpen, onClose: close }
  if (!overlay) return null
  if (loaded === undefined) return isOpen && <HeldKeys key={opening} part={rest} onClose={close} />
  if (loaded === 'failed')
    return (
      <Dialog {...shared} title="Not loaded">
        <div className="task-form stack airy">
          <ChunkFailure />
        </div>
      </Dialog>
    )
  // The dialog of each overlay takes the properties of the overlay.
  const Shown = loaded.dialogs[overlay.name] as ComponentType<OpenProps>
  return <Shown key={opening} {...overlay} {...shared} />
}
