import { type ComponentType, useEffect } from 'react'
import { useDashboard } from '../state/dashboard-state.tsx'
import type { Overlay } from '../state/dashboard-store.ts'
import { useEngine } from '../state/use-engine.tsx'
import { useLastOpening } from '../state/use-last-opening.ts'
import { loadPlanningDialogs } from '../tasks/planning/load-planning-dialogs.ts'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { useChunk } from '../ui/use-chunk.ts'
import { useHeldKeys } from '../ui/use-held-keys.ts'

/** Also loaded ahead. */
export const loadFrameDialogs = () => import('./frame-dialogs.tsx')

/** The dialogs that are used rarely, and what takes files that are dragged over the page. */
export function LaterDialogs() {
  const engine = useEngine()
  const open = useDashboard((state) => state.open)
  useEffect(() => {
    const take = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') &&
      loadFrameDialogs().then(({ takeFiles }) => takeFiles(engine, open), console.error)
    window.addEventListener('dragenter', take)
    return () => window.removeEventListener('dragenter', take)
  }, [engine, open])
  return (
    <>
      <Later load={loadFrameDialogs} names={frameDialogs} />
      <Later load={loadPlanningDialogs} names={planningDialogs} />
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

type LaterProps<Name extends Overlay['name']> = {
  names: readonly Name[]
  /** Loads the chunk that has each dialog under the name of its overlay. */
  load: () => Promise<{ default: Record<Name, unknown> }>
}

/**
 * The dialogs of a chunk, which is loaded when one of them is opened. Each opening has a dialog of its own, which stays while it
 * fades out. Offline they may be missing: then the next opening tries again.
 */
function Later<Name extends Overlay['name']>({ names, load }: LaterProps<Name>) {
  const { isOpen, close, overlay, opening } = useLastOpening(...names)
  const [loaded] = useChunk(load, isOpen)
  useHeldKeys(isOpen, loaded, close)
  const shared = { open: isOpen, onClose: close }
  if (!overlay || loaded === undefined) return null
  if (loaded === 'failed')
    return (
      <Dialog {...shared} title="Not loaded">
        <div className="task-form stack airy">
          <ChunkFailure />
        </div>
      </Dialog>
    )
  // The chunk has the dialog of each overlay, which takes the properties of the overlay.
  const Shown = loaded.default[overlay.name] as ComponentType<OpenProps>
  return <Shown key={opening} {...overlay} {...shared} />
}
