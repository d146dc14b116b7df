import { AccountDialog } from '../account/account-dialog.tsx'
import { namesOf } from '../engine/unsent-names.ts'
import { useEngine } from '../state/use-engine.tsx'
import type { OpenProps } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { othersUnsent } from '../unsent/log-out-dialog.tsx'
import { UnsentFile } from '../unsent/unsent-file.tsx'
import { ImportSection } from './later-import.tsx'

// One chunk, because each takes bytes of the first load, with each dialog under the name of its overlay.
export { DeleteForGoodDialog as deleteForGood } from '../deleted/delete-for-good-dialog.tsx'
export {
  TagEverywhereDialog as removeTag,
  TagEverywhereDialog as renameTag,
} from '../search/tag-everywhere-dialog.tsx'
export { LogOutDialog as logOut } from '../unsent/log-out-dialog.tsx'
export { KeysDialog as keys } from './keys-dialog.tsx'
export { LaterImport as importFiles, takeFiles } from './later-import.tsx'
export { NoteOffer } from './note-offer.tsx'
export { Palette as palette } from './palette/palette.tsx'

export const account = ({ open, onClose }: OpenProps) => (
  <AccountDialog
    open={open}
    onClose={onClose}
    unsaved={namesOf(useEngine())}
    others={othersUnsent(useEngine().unsent, 'Deleting the account')}
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

/** A reload loses nothing: typed text is kept in the browser. */
export const NewVersion = ({ onClose }: { onClose: () => void }) => (
  <section className="message" aria-label="New version">
    <button type="button" className="link-button" onClick={() => location.reload()}>
      Reload for the new version
    </button>
    <IconButton icon="close" label="Not now" onClick={onClose} />
  </section>
)
