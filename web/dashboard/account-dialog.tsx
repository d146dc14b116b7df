import { ExportSection } from '../account/export-section.tsx'
import { Copied } from '../account/new-token.tsx'
import { ChangePassword, DeleteAccount } from '../account/password-forms.tsx'
import { RemindersSection } from '../account/reminders-section.tsx'
import { SessionsSection } from '../account/sessions-section.tsx'
import { SettingsSection } from '../account/settings-section.tsx'
import { TokensSection } from '../account/tokens-section.tsx'
import { namesOf } from '../engine/unsent-names.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { othersUnsent } from '../unsent/log-out-dialog.tsx'
import { UnsentFile } from '../unsent/unsent-file.tsx'
import './account-dialog.css'

/** Settings; ends sessions, makes and revokes tokens, changes the password, exports all data or deletes the account. */
export function AccountDialog({ open, onClose }: OpenProps) {
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
          <p className="account-lead">
            Make a bookmark with this text as its address. On a page, it puts what is selected, or the title
            of the page, and the address of the page into the quick line.
          </p>
          <Copied label="Address of the bookmark" text={bookmarklet()} />
        </section>
        <ChangePassword />
        <section aria-labelledby="unsent-changes">
          <h3 id="unsent-changes">Unsent changes</h3>
          <p className="account-lead">
            Save changes that are not synced yet as a file, and load it again in this browser or in another
            one.
          </p>
          <UnsentFile />
        </section>
        <section aria-labelledby="import-title">
          <h3 id="import-title">Import</h3>
          <p className="account-lead">
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

/** Addresses of requests have an end: a selection is cut, each character of which may need nine bytes there, and so is a long address. */
const [longestSelection, longestAddress] = [1000, 2000]

/** Opens the dashboard as a share of another program does (launch.ts): nothing is added without a press. */
const bookmarklet = () =>
  `javascript:void open('${location.origin}/dashboard?'+new URLSearchParams({'shared-text':(String(getSelection())||document.title).slice(0,${longestSelection}),'shared-url':location.href.length>${longestAddress}?location.origin+location.pathname:location.href}))`
