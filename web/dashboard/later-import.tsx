import { useDashboard } from '../state/dashboard-state.tsx'
import { Button } from '../ui/button.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { useChunk } from '../ui/use-chunk.ts'

export const loadImport = () => import('../importing/import-dialog.tsx')

/** The dialog of an import, which few people open. */
export function LaterImport({ open, onClose, ...given }: OpenProps & { text?: string }) {
  const [loaded, retry] = useChunk(loadImport, true)
  if (loaded === undefined) return null
  if (loaded !== 'failed') return <loaded.ImportDialog open={open} onClose={onClose} {...given} />
  return (
    <Dialog open={open} onClose={onClose} title="Import">
      <ChunkFailure onRetry={retry} />
    </Dialog>
  )
}

/** Leads from the account to the import. */
export function ImportSection() {
  const open = useDashboard((state) => state.open)
  return (
    <section aria-labelledby="import-title">
      <h3 id="import-title">Import</h3>
      <p className="account-lead">
        Tasks and notes from files of other programs, or from an export of Daymark. You see what becomes of
        each line before anything is added.
      </p>
      <p>
        <Button onClick={() => open({ name: 'importFiles' })}>Import</Button>
      </p>
    </section>
  )
}
