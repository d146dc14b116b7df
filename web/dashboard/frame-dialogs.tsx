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
    <section aria-labelledby="unsent-changes">
      <h3 id="unsent-changes">Changes that are not sent</h3>
      <p>A file keeps them until it is taken in again, in this browser or another one.</p>
      <UnsentFile />
    </section>
  </AccountDialog>
)
