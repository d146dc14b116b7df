import { useState, useSyncExternalStore } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Call } from '#contract/api.ts'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { endHeldSession } from '../api/held-session.ts'
import { call } from '../api/page-client.ts'
import { endedEmail, storeToken } from '../api/session.ts'
import { Field } from '../ui/field.tsx'
import { QuietNotice } from '../ui/notice.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { publicToast } from '../ui/toasts.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'

export default function Login() {
  useDashboardIfSignedIn()
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState<ProblemError>()
  // The prerendered page has no storage.
  const email = useSyncExternalStore(noEvents, endedEmail, () => undefined)

  async function logIn(body: Call<'POST /user/login'>['body']) {
    setRefusal(undefined)
    try {
      const { data } = await call('POST /user/login', { body })
      if (!data.token) throw new Error('The answer to the login has no token.')
      endHeldSession()
      storeToken(data.token, body.email)
      publicToast.success('Login successful! Redirecting to dashboard...')
      navigate('/dashboard', { replace: true })
    } catch (error) {
      console.error(error)
      publicToast.error('Login failed. Please check your credentials.')
      setRefusal(problemFrom(error))
    }
  }

  return (
    <CredentialsForm
      action="Login"
      refusal={refusal}
      onSubmit={logIn}
      otherWay={
        <>
          New here? <Link to="/signup">Create an account</Link>
        </>
      }
    >
      {email !== undefined && !refusal && <QuietNotice>Your session has ended. Log in again.</QuietNotice>}
      <Field label="Email" error={refusal?.reasonFor('email')}>
        {(control) => (
          <input {...control} type="email" name="email" autoComplete="email" defaultValue={email ?? ''} />
        )}
      </Field>
      <Field label="Password" error={refusal?.reasonFor('password')}>
        {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
      </Field>
    </CredentialsForm>
  )
}

const noEvents = () => () => {}
