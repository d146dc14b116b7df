import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { forgetTab, isSessionReplaced, startAfresh, storedToken } from '../api/session.ts'

/** Follows the session in other tabs: a logout leaves the dashboard, another login reloads it. */
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
    // The browser reports changes of local storage by other tabs, but not while this tab is frozen.
    const lookWhenVisible = () => document.visibilityState === 'visible' && look()
    window.addEventListener('storage', look)
    document.addEventListener('visibilitychange', lookWhenVisible)
    return () => {
      window.removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', lookWhenVisible)
    }
  }, [])
}
