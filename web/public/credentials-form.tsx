import { type ReactNode, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import { passwordLength } from '#contract/limits.ts'
import type { ProblemError } from '../api/client.ts'
import { type CredentialField, CredentialFields } from '../ui/credential-fields.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { watchPresses } from '../ui/watch-presses.ts'
import './credentials-form.css'

export const passwordHelp = `At least ${passwordLength.min} characters.`

export function CredentialsForm<Name extends string>({
  action,
  refusal,
  otherWay,
  onSubmit,
  fields,
  children,
}: {
  action: string
  refusal: ProblemError | undefined
  otherWay: ReactNode
  onSubmit: (values: Record<Name, string>) => Promise<void>
  fields: CredentialField[]
  children?: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  const isBusyElsewhere = useRef<() => boolean>(() => false)

  useEffect(() => {
    const { early } = form.current?.dataset ?? {}
    delete form.current?.dataset.early
    if (early === 'submitted') form.current?.requestSubmit()
  }, [])
  const isForward = useNavigationType() !== 'POP'
  useEffect(() => {
    // Not if another element got the focus before the page was hydrated.
    const fields = [...(form.current?.querySelectorAll('input') ?? [])]
    if (isForward || document.activeElement === document.body)
      (fields.find(({ value }) => value === '') ?? fields[0])?.focus()
  }, [isForward])
  useEffect(() => {
    // Not from a field that is in use when the answer comes.
    if (refusal && !isBusyElsewhere.current())
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusal])

  function submit(values: Record<Name, string>) {
    isBusyElsewhere.current = watchPresses()
    return onSubmit(values)
  }

  return (
    <section className="credentials">
      <h1>{action}</h1>
      {/* Early until it is hydrated, see head-script.ts. POST: without scripts, a password must not end up in the URL. */}
      <Form ref={form} method="post" data-early="" onSubmit={submit}>
        <noscript>
          <p className="notice edged stack">This form needs JavaScript.</p>
        </noscript>
        {children}
        <CredentialFields fields={fields} refusal={refusal} />
        <SubmitButton className="button button-primary">{action}</SubmitButton>
        {refusal && !refusal.problem.errors && <Notice>{refusal.message}</Notice>}
      </Form>
      <p className="soft">{otherWay}</p>
    </section>
  )
}
