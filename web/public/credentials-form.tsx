import { type ReactNode, useEffect, useRef } from 'react'
import type { ProblemError } from '../api/client.ts'
import { Notice } from '../ui/notice.tsx'

/** The quiet, centred form of login and signup; what was refused is said in it, beside the toast. */
export function CredentialsForm({
  action,
  busy,
  refusal,
  otherWay,
  onSubmit,
  children,
}: {
  action: string
  busy: boolean
  refusal: ProblemError | undefined
  otherWay: ReactNode
  onSubmit: (given: FormData) => void
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusal])

  return (
    <section className="credentials">
      <h1>{action}</h1>
      <form
        ref={form}
        // Sent before the script is there, a password must not end up in the address.
        method="post"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(new FormData(event.currentTarget))
        }}
      >
        <noscript>
          <p className="notice">This form needs JavaScript.</p>
        </noscript>
        {refusal && !refusal.problem.errors && <Notice>{refusal.message}</Notice>}
        {children}
        <button type="submit" className="button button-primary" aria-busy={busy}>
          {action}
        </button>
      </form>
      <p className="credentials-other">{otherWay}</p>
    </section>
  )
}
