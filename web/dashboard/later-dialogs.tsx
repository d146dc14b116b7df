import { useLastOpening } from '../state/use-last-opening.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { notLoaded, useChunk } from '../ui/use-chunk.ts'

const loadDialogs = () => import('../tasks/planning/planning-dialogs.tsx')

/**
 * The dialogs that are used rarely, loaded when one is opened. Each opening has a dialog of its own, which stays while it
 * fades out. Offline they may be missing: then the next opening tries again.
 */
export function LaterDialogs() {
  const { isOpen, close, overlay, opening } = useLastOpening('deleteForGood', 'moveTask', 'review')
  const [loaded] = useChunk(loadDialogs, isOpen)
  if (!overlay || loaded === undefined) return null
  if (loaded !== 'failed') {
    const { default: Dialogs } = loaded
    return <Dialogs key={opening} overlay={overlay} />
  }
  return (
    <Dialog open={isOpen} onClose={close} title="Not loaded">
      <div className="task-form">
        <Notice>{notLoaded}</Notice>
      </div>
    </Dialog>
  )
}
