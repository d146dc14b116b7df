import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { storedToken } from '../api/session.ts'

/** Logging out in one tab leaves the dashboard in all of them. */
export function useSharedLogout() {
  const navigate = useNavigate()
  const leave = useEffectEvent(() => navigate('/'))

  useEffect(() => {
    // The browser tells a tab of what the others have changed, not of its own changes.
    const onStorage = () => storedToken() === null && leave()
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])
}
