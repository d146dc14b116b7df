import { useState } from 'react'
import { call } from '../api/client.ts'
import { PasswordForm } from './password-form.tsx'

export function ChangePassword() {
  const [changed, setChanged] = useState(false)
  return (
    <PasswordForm
      title="Change password"
      lead={
        <span role="status">
          {changed ? 'Your password is changed.' : 'You will be signed out on all other devices.'}
        </span>
      }
      fields={[
        { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
        { name: 'newPassword', label: 'New password', autoComplete: 'new-password' },
      ]}
      action="Change password"
      onSubmit={async ({ currentPassword, newPassword }) => {
        setChanged(false)
        await call('POST /user/changePassword', { body: { currentPassword, newPassword } })
        setChanged(true)
      }}
    />
  )
}
