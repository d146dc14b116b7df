import { AccountDialog } from '../account/account-dialog.tsx'
import { DeleteForGoodDialog } from '../deleted/delete-for-good-dialog.tsx'
import { TagEverywhereDialog } from '../search/tag-everywhere-dialog.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { LinkButton } from '../ui/button.tsx'
import type { OpenProps } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LogOutDialog, othersUnsent } from '../unsent/log-out-dialog.tsx'
import { UnsentFile } from '../unsent/unsent-file.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { ImportSection, LaterImport } from './later-import.tsx'
import { Palette } from './palette/palette.tsx'

const AccountWithUnsent = ({ open, onClose }: OpenProps) => (
  <AccountDialog
    open={open}
    onClose={onClose}
    unsaved={useEngine().waiting.names()}
    others={othersUnsent('Deleting the account')}
  >
    <section aria-labelledby="unsent-changes">
      <h3 id="unsent-changes">Unsent changes</h3>
      <p className="account-lead">
        Save changes that are not synced yet as a file, and load it again in this browser or in another one.
      </p>
      <UnsentFile />
    </section>
    <ImportSection />
  </AccountDialog>
)

/** The dialogs of one chunk, because each takes bytes of the first load, under the names of their overlays. */
export const dialogs = {
  account: AccountWithUnsent,
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
