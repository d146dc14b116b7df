import { useEffect } from 'react'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useLastOpening } from '../state/use-last-opening.ts'
import { loadPlanningDialogs } from '../tasks/planning/load-planning-dialogs.ts'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useChunk } from '../ui/use-chunk.ts'
import { useHeldKeys } from '../ui/use-held-keys.ts'

/** Also loaded ahead. */
export const loadFrameDialogs = () => import('./frame-dialogs.tsx')

/**
 * The dialogs that are used rarely, loaded when one is opened. Each opening has a dialog of its own, which stays while it
 * fades out. Offline they may be missing: then the next opening tries again.
 */
export function LaterDialogs() {
  const { isOpen, close, overlay, opening } = useLastOpening(
    'earlier',
    'moveTask',
    'priority',
    'review',
    'tag',
  )
  const [loaded] = useChunk(loadPlanningDialogs, isOpen)
  useHeldKeys(isOpen, loaded, close)
  if (!overlay || loaded === undefined) return null
  if (loaded === 'failed') return <NotLoaded open={isOpen} onClose={close} />
  const { default: Dialogs } = loaded
  return <Dialogs key={opening} overlay={overlay} />
}

/** The dialogs of the frame that are loaded when one is opened, and what takes files that are dragged over the page. */
export function LaterFrameDialogs() {
  const open = useDashboard((state) => state.open)
  useEffect(() => {
    const take = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') &&
      loadFrameDialogs().then(({ takeFiles }) => takeFiles(open), console.error)
    window.addEventListener('dragenter', take)
    return () => window.removeEventListener('dragenter', take)
  }, [open])
  const { isOpen, close, overlay, opening } = useLastOpening(
    'account',
    'deleteForGood',
    'importFiles',
    'keys',
    'logOut',
    'palette',
    'removeTag',
    'renameTag',
  )
  const [loaded] = useChunk(loadFrameDialogs, isOpen)
  useHeldKeys(isOpen, loaded, close)
  if (!overlay || loaded === undefined) return null
  if (loaded === 'failed') return <NotLoaded open={isOpen} onClose={close} />
  const shared = { open: isOpen, onClose: close }
  if (overlay.name === 'deleteForGood') return <loaded.deleteForGood key={opening} {...overlay} />
  if ('tag' in overlay) return <loaded.renameTag key={opening} {...overlay} />
  if (overlay.name === 'importFiles') return <loaded.importFiles key={opening} {...overlay} {...shared} />
  const Shown = loaded[overlay.name]
  return <Shown key={opening} {...shared} />
}

const NotLoaded = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Not loaded">
    <div className="task-form">
      <ChunkFailure />
    </div>
  </Dialog>
)
