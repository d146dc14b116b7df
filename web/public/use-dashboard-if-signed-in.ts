import { useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { storedToken } from '../api/session.ts'
import { useSignal } from '../ui/use-signal.ts'

/** Most visitors of the landing page have no token, so it loads the client only for those who do. */
async function validate(signal: AbortSignal): Promise<boolean> {
  const { call } = await import('../api/page-client.ts')
  const { data } = await call('GET /user/validate', { signal })
  return data.valid === true
}

/** On load, a stored token that is valid leads to the dashboard. The redirect replaces the history entry: otherwise Back would lead to it again. */
export function useDashboardIfSignedIn() {
  const navigate = useNavigate()
  const goToDashboard = useEffectEvent(() => navigate('/dashboard', { replace: true }))

  useSignal([], (signal) => {
    if (!storedToken()) return
    validate(signal).then(
      (isValid) => isValid && goToDashboard(),
      (error) => signal.aborted || console.error(error),
    )
  })
}
