import { useReducer, useSyncExternalStore } from 'react'
import { forgetNoteIntent, noteIntent } from '../api/note-intent.ts'
import { DeleteForGoodDialog } from '../deleted/delete-for-good-dialog.tsx'
import { keepTyped } from '../notes/typed-ahead.ts'
import { useWriteNote } from '../notes/use-go-to-note.ts'
import { TagEverywhereDialog } from '../search/tag-everywhere-dialog.tsx'
import { useDashboard } from '../state/dashboard-state.tsx'
import { type Overlay, shownView } from '../state/dashboard-store.ts'
import { Button, IconButton, LinkButton } from '../ui/button.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { useChunk } from '../ui/use-chunk.ts'
import { LogOutDialog } from '../unsent/log-out-dialog.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { Palette } from './palette/palette.tsx'
import './note-offer.css'

const loadImport = () => import('../importing/import-dialog.tsx')

/** The dialog of an import, which few people open. */
function LaterImport(props: OpenProps & { text?: string }) {
  const [loaded, retry] = useChunk(loadImport, true)
  if (loaded === undefined) return null
  if (loaded !== 'failed') return <loaded.ImportDialog {...props} />
  return (
    <Dialog {...props} title="Import">
      <ChunkFailure onRetry={retry} />
    </Dialog>
  )
}

/** The dialogs of one chunk, because each takes bytes of the first load, under the names of their overlays. */
export default {
  account: AccountDialog,
  deleteForGood: DeleteForGoodDialog,
  importFiles: LaterImport,
  keys: KeysDialog,
  logOut: LogOutDialog,
  palette: Palette,
  removeTag: TagEverywhereDialog,
  renameTag: TagEverywhereDialog,
}

/** A reload loses nothing: typed text is kept in the browser. */
export const NewVersion = ({ onClose }: { onClose: () => void }) => (
  <section className="message" aria-label="New version">
    <LinkButton onClick={() => location.reload()}>Reload for the new version</LinkButton>
    <IconButton icon="close" label="Not now" onClick={onClose} />
  </section>
)

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

/** Offers a note that the visitor wanted to write before the login, or a note with the text that another program shared. */
export function NoteOffer() {
  const [, renew] = useReducer((count: number) => count + 1, 0)
  const text = useSyncExternalStore(noEvents, noteIntent, () => null)
  const view = useDashboard(shownView)
  const write = useWriteNote()
  if (text === null || view === undefined || view === 'notes') return
  const close = () => {
    forgetNoteIntent()
    renew()
  }
  return (
    <section className="note-offer" aria-label="Your note">
      {text ? <p className="note-offer-text">{text}</p> : <p>You came to write a note.</p>}
      <Button
        className="button button-primary"
        onClick={() => {
          close()
          keepTyped(text)
          write()
        }}
      >
        Start the note
      </Button>
      <IconButton icon="close" label="Not now" onClick={close} />
    </section>
  )
}

const noEvents = () => () => {}
