import { type ReactNode, useState } from 'react'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'

type PasswordFormProps = {
  title: string
  lead: ReactNode
  /** The form's fields: the name that the call gives each, and what it is called here. */
  fields: { name: string; label: string; autoComplete: 'current-password' | 'new-password' }[]
  action: string
  dangerous?: boolean
  /** Makes the call with what was given; throws where it was refused. */
  onSubmit: (given: Record<string, string>) => Promise<void>
}

/** A form of passwords. What was typed stays when it is refused, and what was wrong is said beside it. */
export function PasswordForm({ title, lead, fields, action, dangerous, onSubmit }: PasswordFormProps) {
  const [refusal, setRefusal] = useState<ProblemError>()
  const [submit, busy] = useOneAtATime(async (form: HTMLFormElement) => {
    setRefusal(undefined)
    try {
      await onSubmit(Object.fromEntries(new FormData(form)) as Record<string, string>)
      form.reset()
    } catch (error) {
      console.error(error)
      setRefusal(problemFrom(error))
    }
  })

  return (
    <form
      className="account-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <h3>{title}</h3>
      <p className="account-lead">{lead}</p>
      {refusal && !refusal.problem.errors && <Notice>{refusal.message}</Notice>}
      {fields.map(({ name, label, autoComplete }) => (
        <Field key={name} label={label} error={refusal?.reasonFor(name)}>
          {(control) => <PasswordInput {...control} name={name} autoComplete={autoComplete} required />}
        </Field>
      ))}
      <button type="submit" className={`button ${dangerous ? 'button-danger' : ''}`} aria-busy={busy}>
        {action}
      </button>
    </form>
  )
}
