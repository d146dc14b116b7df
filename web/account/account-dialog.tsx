import type { ReactNode } from 'react'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { ExportSection } from './export-section.tsx'
import { Copied } from './new-token.tsx'
import { ChangePassword, DeleteAccount } from './password-forms.tsx'
import { RemindersSection } from './reminders-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TokensSection } from './tokens-section.tsx'
import './account-dialog.css'

type AccountDialogProps = OpenProps & {
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

/** Addresses of requests have an end: a selection is cut, each character of which may need nine bytes there, and so is a long address. */
const [longestSelection, longestAddress] = [1000, 2000]

/** Opens the dashboard as a share of another program does (`web/dashboard/launch.ts`): nothing is added without a press. */
const bookmarklet = () =>
  `javascript:void open('${location.origin}/dashboard?'+new URLSearchParams({'shared-text':(String(getSelection())||document.title).slice(0,${longestSelection}),'shared-url':location.href.length>${longestAddress}?location.origin+location.pathname:location.href}))`

/** A bookmark that puts what is selected on any page, and its address, into the quick line. */
const BookmarkletSection = () => (
  <section className="sessions" aria-labelledby="bookmarklet-title">
    <h3 id="bookmarklet-title">Add from any page</h3>
    <p className="account-lead">
      Make a bookmark with this text as its address. On a page, it puts what is selected, or the title of the
      page, and the address of the page into the quick line.
    </p>
    <Copied label="Address of the bookmark" text={bookmarklet()} />
  </section>
)
