import { Link, useNavigate } from 'react-router'
import type { Call } from '#contract/api.ts'
import { endHeldSession } from '../api/held-session.ts'
import { call } from '../api/page-client.ts'
import { storeToken } from '../api/session.ts'
import { useRefusal } from '../ui/credential-fields.tsx'
import { publicToast } from '../ui/toasts.tsx'
import { CredentialsForm, passwordHelp } from './credentials-form.tsx'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'

export function Signup() {
  useDashboardIfSignedIn()
  const navigate = useNavigate()
  async function signUp(body: Call<'POST /user/register'>['body']) {
    const { data } = await call('POST /user/register', { body })
    if (!data.token) {
      console.error('The answer to the signup has no token.')
      publicToast.error('Signup failed. Please try again.')
      return
    }
    endHeldSession()
    storeToken(data.token, body.email)
    publicToast.success('Signup successful! Redirecting to login...')
    navigate('/login', { replace: true })
  }
  const [submit, refusal] = useRefusal(signUp, () =>
    publicToast.error('An error occurred during signup. Please try again.'),
  )
  const emailError = refusal?.code === 'email-taken' ? <EmailTaken /> : undefined

  return (
    <CredentialsForm
      action="Sign up"
      refusal={refusal}
      onSubmit={submit}
      fields={[
        { label: 'Name', name: 'name', autoComplete: 'name' },
        { label: 'Email', name: 'email', autoComplete: 'email', error: emailError },
        { label: 'Password', name: 'password', autoComplete: 'new-password', help: passwordHelp },
      ]}
      otherWay={
        <>
          Have an account? <Link to="/login">Log in</Link>
        </>
      }
    />
  )
}

const EmailTaken = () => (
  <>
    This email already has an account. <Link to="/login">Log in with it</Link>
  </>
)
