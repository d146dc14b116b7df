import { Dialog } from '../ui/dialog.tsx'
import { ChangePassword } from './change-password.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { SettingsSection } from './settings-section.tsx'
import './account-dialog.css'

type AccountDialogProps = { open: boolean; onClose: () => void }

/** Settings; changes the password or deletes the account. Each opening starts with empty fields. */
export const AccountDialog = ({ open, onClose }: AccountDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Account">
    <div key={String(open)} className="account">
      <SettingsSection />
      <ChangePassword />
      <DeleteAccount />
    </div>
  </Dialog>
)
