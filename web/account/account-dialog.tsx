import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { BookmarkletSection } from './bookmarklet-section.tsx'
import { ChangePassword } from './change-password.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { ExportSection } from './export-section.tsx'
import { RemindersSection } from './reminders-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TokensSection } from './tokens-section.tsx'
import './account-dialog.css'

type AccountDialogProps = {
  open: boolean
  onClose: () => void
  /** The names of the texts that are only in this browser. */
  unsaved: string[]
  /** A sentence about those of other accounts. */
  others: string
  /** Sections of other parts of the page: the unsent changes, of `web/unsent/unsent-file.tsx`. */
  children: ReactNode
}

/** Settings; ends sessions, makes and revokes tokens, changes the password, exports all data or deletes the account. */
export const AccountDialog = ({ open, onClose, unsaved, others, children }: AccountDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Account">
    <div className="account">
      <SettingsSection />
      <RemindersSection />
      <SessionsSection />
      <TokensSection />
      <BookmarkletSection />
      <ChangePassword />
      {children}
      <ExportSection />
      <DeleteAccount unsaved={unsaved} others={others} />
    </div>
  </Dialog>
)
