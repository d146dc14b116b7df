import { useSyncExternalStore } from 'react'
import { ExportSection } from '../account/export-section.tsx'
import { Copied } from '../account/new-token.tsx'
import { ChangePassword, DeleteAccount } from '../account/password-forms.tsx'
import { RemindersSection } from '../account/reminders-section.tsx'
import { SessionsSection } from '../account/sessions-section.tsx'
import { SettingsSection } from '../account/settings-section.tsx'
import { TokensSection } from '../account/tokens-section.tsx'
import { forgetNoteIntent, noteIntent, onNoteIntent } from '../api/note-intent.ts'
import { DeleteForGoodDialog } from '../deleted/delete-for-good-dialog.tsx'
import type { Engine } from '../engine/engine.ts'
import { namesOf } from '../engine/unsent-names.ts'
import { useWriteNote } from '../notes/use-go-to-note.ts'
import { importing } from '../parts/parts.ts'
import { TagEverywhereDialog } from '../search/tag-everywhere-dialog.tsx'
import { useDashboard } from '../state/dashboard-state.tsx'
import { type Overlay, shownView } from '../state/dashboard-store.ts'
import { useEngine } from '../state/use-engine.tsx'
import { MoveDialog } from '../tasks/planning/move-dialog.tsx'
import { PriorityMenu } from '../tasks/planning/priority-menu.tsx'
import { ReviewDialog } from '../tasks/planning/review-dialog.tsx'
import { TagDialog } from '../tasks/planning/tag-dialog.tsx'
import { EarlierDialog } from '../tasks/repeat/earlier-dialog.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { HeldKeys, keepTyped } from '../ui/held-keys.ts'
import { usePart } from '../ui/use-part.ts'
import { LogOutDialog, othersUnsent } from '../unsent/log-out-dialog.tsx'
import { UnsentFile } from '../unsent/unsent-file.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { Palette } from './palette/palette.tsx'
import '../account/account.css'
import './note-offer.css'

/** The dialog of an import, which few people open. */
function LaterImport(props: OpenProps & { text?: string }) {
  const loaded = usePart(importing)
  if (loaded === undefined) return props.open && <HeldKeys part={importing} onClose={props.onClose} />
  if (loaded !== 'failed') return <loaded.ImportDialog {...props} />
  return (
    <Dialog {...props} title="Import">
      <ChunkFailure onRetry={importing.want} />
    </Dialog>
  )
}

/** The dialogs of the rest of the page, under the names of their overlays. */
export const dialogs = {
  account: AccountDialog,
  deleteForGood: DeleteForGoodDialog,
  earlier: EarlierDialog,
  importFiles: LaterImport,
  keys: KeysDialog,
  logOut: LogOutDialog,
  moveTask: MoveDialog,
  palette: Palette,
  priority: PriorityMenu,
  removeTag: TagEverywhereDialog,
  renameTag: TagEverywhereDialog,
  review: ReviewDialog,
  tag: TagDialog,
}

/** Takes files that are dropped on the page: not on a text, and not while another dialog covers the page. */
export function takeFiles(engine: Engine, open: (overlay: Overlay) => void) {
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
      const { droppedFiles, readFiles } = await importing.load()
      readFiles(engine, await droppedFiles(dropped))
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
  const text = useSyncExternalStore(onNoteIntent, noteIntent)
  const view = useDashboard(shownView)
  const write = useWriteNote()
  if (text === null || view === undefined || view === 'notes') return
  return (
    <section className="note-offer row" aria-label="Your note">
      {text ? <p className="two-lines">{text}</p> : <p>You came to write a note.</p>}
      <Button
        className="button button-primary rigid"
        onClick={() => {
          forgetNoteIntent()
          keepTyped(text)
          write()
        }}
      >
        Start the note
      </Button>
      <IconButton icon="close" label="Not now" onClick={forgetNoteIntent} />
    </section>
  )
}

function AccountDialog({ open, onClose }: OpenProps) {
  const engine = useEngine()
  const openDialog = useDashboard((state) => state.open)
  return (
    <Dialog open={open} onClose={onClose} title="Account">
      <div className="account">
        <SettingsSection />
        <RemindersSection />
        <SessionsSection />
        <TokensSection />
        <section className="sessions" aria-labelledby="bookmarklet-title">
          <h3 id="bookmarklet-title">Add from any page</h3>
          <p className="account-lead soft">
            Make a bookmark with this text as its address. On a page, it puts what is selected, or the title
            of the page, and the address of the page into the quick line.
          </p>
          <Copied label="Address of the bookmark" copyName="Copy the bookmark address" text={bookmarklet()} />
        </section>
        <ChangePassword />
        <section aria-labelledby="unsent-changes">
          <h3 id="unsent-changes">Unsent changes</h3>
          <p className="account-lead soft">
            Save changes that are not synced yet as a file, and load it again in this browser or in another
            one.
          </p>
          <UnsentFile />
        </section>
        <section aria-labelledby="import-title">
          <h3 id="import-title">Import</h3>
          <p className="account-lead soft">
            Tasks and notes from files of other programs, or from an export of Daymark. You see what becomes
            of each line before anything is added.
          </p>
          <p>
            <Button onClick={() => openDialog({ name: 'importFiles' })}>Import</Button>
          </p>
        </section>
        <ExportSection />
        <DeleteAccount
          unsaved={namesOf(engine)}
          others={othersUnsent(engine.unsent, 'Deleting the account')}
        />
      </div>
    </Dialog>
  )
}

/** Requests limit the length of addresses, so a selection (up to nine bytes a character) and a long address are cut. */
const [longestSelection, longestAddress] = [1000, 2000]

/** Opens the dashboard as a share of another program does (launch.ts): nothing is added without a press. */
const bookmarklet = () =>
  `javascript:void open('${location.origin}/dashboard?'+new URLSearchParams({'shared-text':(String(getSelection())||document.title).slice(0,${longestSelection}),'shared-url':location.href.length>${longestAddress}?location.origin+location.pathname:location.href}))`
