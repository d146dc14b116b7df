import { call } from '../api/client.ts'
import { endSession, leaveFor } from '../api/session.ts'
import { ExportFirst } from './export-section.tsx'
import { PasswordForm } from './password-form.tsx'

/** `others`: a sentence about what this browser keeps for other accounts. */
export function DeleteAccount({ unsaved, others }: { unsaved: string[]; others: string }) {
  return (
    <PasswordForm
      title="Delete account"
      lead={
        <>
          Your account, tasks and notes are deleted immediately and cannot be restored. <ExportFirst />
          {unsaved.length > 0 && (
            <>
              {' '}
              So is what was typed here and not saved:{' '}
              <bdi>{unsaved.map((name) => `“${name}”`).join(', ')}</bdi>
            </>
          )}{' '}
          {others}
        </>
      }
      fields={[{ name: 'password', label: 'Password', autoComplete: 'current-password' }]}
      action="Delete account, tasks and notes"
      dangerous
      onSubmit={async ({ password }) => {
        await call('POST /user/deleteAccount', { body: { password } })
        endSession()
        leaveFor('/')
      }}
    />
  )
}
