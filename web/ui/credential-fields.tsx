import { type ComponentProps, type ReactNode, useState } from 'react'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { IconButton } from './button.tsx'
import { Field } from './field.tsx'
import { useAttempt } from './use-attempt.ts'
import './credential-fields.css'

export function useRefusal<Values>(send: (values: Values) => Promise<unknown>, onFailure?: () => void) {
  const { attempt, error } = useAttempt(send)
  const submit = async (values: Values) =>
    void (await attempt(values).catch((error) => {
      console.error(error)
      onFailure?.()
    }))
  return [submit, problemFrom(error)] as const
}

export type CredentialField = Omit<ComponentProps<'input'>, 'type'> & {
  name: string
  label: string
  autoComplete: 'name' | 'email' | 'current-password' | 'new-password'
  help?: string
  /** In place of the reason why the value was refused. */
  error?: ReactNode
}

type CredentialFieldsProps = { fields: CredentialField[]; refusal: ProblemError | undefined }

export const CredentialFields = ({ fields, refusal }: CredentialFieldsProps) =>
  fields.map(({ label, help, error, ...input }) => (
    <Field key={input.name} label={label} error={error ?? refusal?.reasonFor(input.name)} help={help}>
      {(control) =>
        input.autoComplete.endsWith('password') ? (
          <PasswordInput {...control} {...input} what={label.toLowerCase()} />
        ) : (
          <input {...control} type={input.autoComplete === 'email' ? 'email' : undefined} {...input} />
        )
      }
    </Field>
  ))

const eye =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z'
const crossedEye =
  'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.7 3.4M6.6 7.2A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.6-1.3M10.2 10.3a2.5 2.5 0 0 0 3.5 3.5'

function PasswordInput({ what, ...props }: ComponentProps<'input'> & { what: string }) {
  const [shown, setShown] = useState(false)
  return (
    <div className="password">
      <input {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <IconButton
        icon={shown ? crossedEye : eye}
        label={`${shown ? 'Hide' : 'Show'} ${what}`}
        onClick={() => setShown(!shown)}
      />
    </div>
  )
}
