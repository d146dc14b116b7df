import { type ReactNode, useRef, useState } from 'react'
import { call } from '../api/page-client.ts'
import { endSession, leaveFor } from '../api/session.ts'
import { type CredentialField, CredentialFields, useRefusal } from '../ui/credential-fields.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { ExportFirst } from './export-section.tsx'

type PasswordFormProps<Name extends string> = {
  title: string
  lead: ReactNode
  fields: (CredentialField & { name: Name })[]
  action: string
  dangerous?: boolean
  onSubmit: (values: Record<Name, string>) => Promise<void>
}

function PasswordForm<Name extends string>({
  title,
  lead,
  fields,
  action,
  dangerous,
  onSubmit,
}: PasswordFormProps<Name>) {
  const form = useRef<HTMLFormElement>(null)
  const [submit, refusal] = useRefusal(async (values: Record<Name, string>) => {
    await onSubmit(values)
    form.current?.reset()
  })

  return (
    <Form ref={form} onSubmit={submit}>
      <h3>{title}</h3>
      <p className="account-lead soft">{lead}</p>
      {refusal && !refusal.problem.errors && <Notice>{refusal.message}</Notice>}
      <CredentialFields fields={fields} refusal={refusal} />
      <SubmitButton className={`button ${dangerous ? 'button-danger' : ''}`}>{action}</SubmitButton>
    </Form>
  )
}

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
        {
          name: 'currentPassword',
          label: 'Current password',
          autoComplete: 'current-password',
          required: true,
        },
        { name: 'newPassword', label: 'New password', autoComplete: 'new-password', required: true },
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
      fields={[{ name: 'password', label: 'Password', autoComplete: 'current-password', required: true }]}
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
