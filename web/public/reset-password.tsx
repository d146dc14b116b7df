import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/page-client.ts'
import { Button } from '../ui/button.tsx'
import { useRefusal } from '../ui/credential-fields.tsx'
import { CredentialsForm, passwordHelp } from './credentials-form.tsx'

/**
 * The token is behind the `#`, which browsers send to no server. Only the last step uses it: a program that opens links for a
 * preview does not.
 */
export function ResetPassword() {
  const [step, setStep] = useState<'opened' | 'choosing' | 'chosen'>('opened')
  const [submit, refusal] = useRefusal(async ({ newPassword }: Record<'newPassword', string>) => {
    await call('POST /user/resetPassword', { body: { token: location.hash.slice(1), newPassword } })
    history.replaceState(history.state, '', location.pathname)
    setStep('chosen')
  })

  if (step === 'choosing')
    return (
      <CredentialsForm
        action="Change password"
        refusal={refusal}
        onSubmit={submit}
        fields={[
          { label: 'New password', name: 'newPassword', autoComplete: 'new-password', help: passwordHelp },
        ]}
        otherWay="You will be logged out everywhere."
      />
    )
  const isChosen = step === 'chosen'
  return (
    <section className="credentials">
      <h1>{isChosen ? 'Your password is changed' : 'Choose a new password'}</h1>
      {isChosen ? (
        <>
          <p role="status">You are logged out everywhere. Log in with the new password.</p>
          <Link ref={focus} className="button button-primary" to="/login" replace>
            Log in
          </Link>
        </>
      ) : (
        <>
          <noscript>
            <p className="notice edged stack">This page needs JavaScript.</p>
          </noscript>
          <Button className="button button-primary" onClick={() => setStep('choosing')}>
            Choose a password
          </Button>
        </>
      )}
    </section>
  )
}

/** The button that had the focus is gone. */
const focus = (link: HTMLElement | null) => link?.focus()
