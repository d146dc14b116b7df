import { useSyncExternalStore } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Call } from '#contract/api.ts'
import { endHeldSession } from '../api/held-session.ts'
import { call } from '../api/page-client.ts'
import { endedEmail, storeToken } from '../api/session.ts'
import { useRefusal } from '../ui/credential-fields.tsx'
import { QuietNotice } from '../ui/notice.tsx'
import { publicToast } from '../ui/toasts.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'

export function Login() {
  useDashboardIfSignedIn()
  const navigate = useNavigate()
  // The prerendered page has no storage.
  const email = useSyncExternalStore(noEvents, endedEmail, () => undefined)

  async function logIn(body: Call<'POST /user/login'>['body']) {
    const { data } = await call('POST /user/login', { body })
    if (!data.token) throw new Error('The answer to the login has no token.')
    endHeldSession()
    storeToken(data.token, body.email)
    publicToast.success('Login successful! Redirecting to dashboard...')
    navigate('/dashboard', { replace: true })
  }
  const [submit, refusal] = useRefusal(logIn, () =>
    publicToast.error('Login failed. Please check your credentials.'),
  )

  return (
    <CredentialsForm
      action="Login"
      refusal={refusal}
      onSubmit={submit}
      fields={[
        { label: 'Email', name: 'email', autoComplete: 'email', defaultValue: email ?? '' },
        { label: 'Password', name: 'password', autoComplete: 'current-password' },
      ]}
      otherWay={
        <>
          New here? <Link to="/signup">Create an account</Link>
        </>
      }
    >
      {email !== undefined && !refusal && <QuietNotice>Your session has ended. Log in again.</QuietNotice>}
    </CredentialsForm>
  )
}

const noEvents = () => () => {}
