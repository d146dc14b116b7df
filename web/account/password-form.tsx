import { type ReactNode, useRef, useState } from 'react'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { Field } from '../ui/field.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordInput } from '../ui/password-input.tsx'

type PasswordFormProps<Name extends string> = {
  title: string
  lead: ReactNode
  /** The form's fields: the name that the call gives each, and its label here. */
  fields: { name: Name; label: string; autoComplete: 'current-password' | 'new-password' }[]
  action: string
  dangerous?: boolean
  /** Makes the call; throws if it is rejected. */
  onSubmit: (values: Record<Name, string>) => Promise<void>
}

/** A form of passwords. After a rejection the values stay, and each error is shown at its field. */
export function PasswordForm<Name extends string>({
  title,
  lead,
  fields,
  action,
  dangerous,
  onSubmit,
}: PasswordFormProps<Name>) {
  const form = useRef<HTMLFormElement>(null)
  const [refusal, setRefusal] = useState<ProblemError>()

  async function submit(values: Record<Name, string>) {
    setRefusal(undefined)
    try {
      await onSubmit(values)
      form.current?.reset()
    } catch (error) {
      console.error(error)
      setRefusal(problemFrom(error))
    }
  }

  return (
    <Form ref={form} onSubmit={submit}>
      <h3>{title}</h3>
      <p className="account-lead">{lead}</p>
      {refusal && !refusal.problem.errors && <Notice>{refusal.message}</Notice>}
      {fields.map(({ name, label, autoComplete }) => (
        <Field key={name} label={label} error={refusal?.reasonFor(name)}>
          {(control) => (
            <PasswordInput
              {...control}
              what={label.toLowerCase()}
              name={name}
              autoComplete={autoComplete}
              required
            />
          )}
        </Field>
      ))}
      <SubmitButton className={`button ${dangerous ? 'button-danger' : ''}`}>{action}</SubmitButton>
    </Form>
  )
}
