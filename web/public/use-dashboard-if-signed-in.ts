import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { storedToken } from '../api/session.ts'

/** On load, a stored token that validates leads to the dashboard; anything else leaves the visitor where they are. */
export function useDashboardIfSignedIn() {
  const navigate = useNavigate()
  const goToDashboard = useEffectEvent(() => navigate('/dashboard'))

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
