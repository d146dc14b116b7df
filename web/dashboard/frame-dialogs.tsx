import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { AccountDialog } from '../account/account-dialog.tsx'
import { unsavedNames } from './unsaved-names.ts'
import { UnsentFile } from './unsent-file.tsx'

// One chunk, with each dialog under the name of its overlay.
export { DeleteForGoodDialog as deleteForGood } from '../deleted/delete-for-good-dialog.tsx'
export { KeysDialog as keys } from './keys-dialog.tsx'
export { LogOutDialog as logOut } from './log-out-dialog.tsx'
export { Palette as palette } from './palette/palette.tsx'

export const account = (props: Omit<ComponentProps<typeof AccountDialog>, 'unsaved' | 'children'>) => (
  <AccountDialog {...props} unsaved={unsavedNames(useQueryClient())}>
    <section className="settings" aria-labelledby="unsent-changes">
      <h3 id="unsent-changes">Unsent changes</h3>
      <p className="account-lead">
        What this browser could not send yet can be saved as a file and taken in again, here or in another
        browser.
      </p>
      <UnsentFile />
    </section>
  </AccountDialog>
)
