import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Call } from '#contract/api.ts'
import { passwordLength } from '#contract/limits.ts'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { endHeldSession } from '../api/held-session.ts'
import { call } from '../api/page-client.ts'
import { storeToken } from '../api/session.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { publicToast } from '../ui/toasts.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'

export default function Signup() {
  useDashboardIfSignedIn()
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState<ProblemError>()

  async function signUp(body: Call<'POST /user/register'>['body']) {
    setRefusal(undefined)
    try {
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
    } catch (error) {
      console.error(error)
      publicToast.error('An error occurred during signup. Please try again.')
      setRefusal(problemFrom(error))
    }
  }

  return (
    <CredentialsForm
      action="Sign up"
      refusal={refusal}
      onSubmit={signUp}
      otherWay={
        <>
          Have an account? <Link to="/login">Log in</Link>
        </>
      }
    >
      <Field label="Name" error={refusal?.reasonFor('name')}>
        {(control) => <input {...control} name="name" autoComplete="name" />}
      </Field>
      <Field
        label="Email"
        error={refusal?.code === 'email-taken' ? <EmailTaken /> : refusal?.reasonFor('email')}
      >
        {(control) => <input {...control} type="email" name="email" autoComplete="email" />}
      </Field>
      <Field
        label="Password"
        error={refusal?.reasonFor('password')}
        help={`At least ${passwordLength.min} characters.`}
      >
        {(control) => <PasswordInput {...control} name="password" autoComplete="new-password" />}
      </Field>
    </CredentialsForm>
  )
}

const EmailTaken = () => (
  <>
    This email already has an account. <Link to="/login">Log in with it</Link>
  </>
)
