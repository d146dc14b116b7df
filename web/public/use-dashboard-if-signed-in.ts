import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { storedToken } from '../api/session.ts'

/** On load, a stored token that is valid leads to the dashboard. The redirect replaces the history entry: otherwise Back would lead to it again. */
export function useDashboardIfSignedIn() {
  const navigate = useNavigate()
  const goToDashboard = useEffectEvent(() => navigate('/dashboard', { replace: true }))

  useEffect(() => {
    if (!storedToken()) return
    const leaving = new AbortController()
    call('GET /user/validate', { signal: leaving.signal }).then(
      ({ data }) => data.valid === true && goToDashboard(),
      (error) => leaving.signal.aborted || console.error(error),
    )
    return () => leaving.abort()
  }, [])
}
