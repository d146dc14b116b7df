import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { forgetTab, isSessionReplaced, startAfresh, storedToken } from '../api/session.ts'

/** Follows what other tabs do to the session: a logout leaves the dashboard, another login starts it afresh. */
export function useSessionWatch() {
  const navigate = useNavigate()
  const look = useEffectEvent(() => {
    if (isSessionReplaced()) startAfresh()
    else if (storedToken() === null) {
      forgetTab()
      navigate('/', { replace: true })
    }
  })

  useEffect(() => {
    // The browser reports to a tab what the others have stored, but not while the tab is frozen.
    const lookWhenVisible = () => document.visibilityState === 'visible' && look()
    window.addEventListener('storage', look)
    document.addEventListener('visibilitychange', lookWhenVisible)
    return () => {
      window.removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', lookWhenVisible)
    }
  }, [])
}
