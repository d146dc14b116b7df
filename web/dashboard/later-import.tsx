import { useDashboard } from '../state/dashboard-state.tsx'
import type { Overlay } from '../state/dashboard-store.ts'
import { Button } from '../ui/button.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { useChunk } from '../ui/use-chunk.ts'

const loadImport = () => import('../importing/import-dialog.tsx')

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

/** Takes files that are dropped on the page: not on a text, and not while another dialog covers the page. */
export function takeFiles(open: (overlay: Overlay) => void) {
  window.ondragover = (event) => {
    if (!hasFiles(event) || isInText(event)) return
    event.preventDefault()
    if (event.dataTransfer && isCovered()) event.dataTransfer.dropEffect = 'none'
  }
  window.ondrop = async (event) => {
    const { defaultPrevented, dataTransfer } = event
    if (defaultPrevented || !dataTransfer || !hasFiles(event) || isInText(event)) return
    // Otherwise the browser leaves the page for the file.
    event.preventDefault()
    if (isCovered()) return
    try {
      // The browser gives them until the event ends.
      const dropped = [...dataTransfer.items].flatMap(
        (item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [],
      )
      const { droppedFiles, readFiles } = await loadImport()
      readFiles(await droppedFiles(dropped))
    } catch (error) {
      console.error(error)
    }
    // Also without the files: the dialog says that it cannot be loaded, or takes them again.
    open({ name: 'importFiles' })
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files')
const isInText = ({ target }: DragEvent) =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null
const isCovered = () => document.querySelector('dialog[open]:not(:has(> .import))') !== null
