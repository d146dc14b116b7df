import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call, type ProblemError, problemFrom } from '../api/client.ts'
import { storeToken } from '../api/session.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { publicToast } from '../ui/toasts.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'

export default function Login() {
  useDashboardIfSignedIn()
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState<ProblemError>()

  const [logIn, busy] = useOneAtATime(async (given: FormData) => {
    setRefusal(undefined)
    try {
      const body = { email: String(given.get('email')), password: String(given.get('password')) }
      const { data } = await call('POST /user/login', { body })
      if (!data.token) throw new Error('The answer to the login has no token.')
      storeToken(data.token)
      publicToast.success('Login successful! Redirecting to dashboard...')
      navigate('/dashboard')
    } catch (error) {
      console.error(error)
      publicToast.error('Login failed. Please check your credentials.')
      setRefusal(problemFrom(error))
    }
  })

  return (
    <CredentialsForm
      action="Login"
      busy={busy}
      refusal={refusal}
      onSubmit={logIn}
      otherWay={
        <>
          New here? <Link to="/signup">Make an account</Link>
        </>
      }
    >
      <Field label="Email" error={refusal?.reasonFor('email')}>
        {(control) => <input {...control} type="email" name="email" autoComplete="email" />}
      </Field>
      <Field label="Password" error={refusal?.reasonFor('password')}>
        {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
      </Field>
    </CredentialsForm>
  )
}
