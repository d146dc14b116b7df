import { useEffect } from 'react'
import { isSessionOver, leaveSession, loadInstead, showsLogin } from '../api/session.ts'

/** Follows the session in other tabs: a logout leaves the dashboard, another login reloads it. */
export function useSessionWatch() {
  useEffect(() => {
    const look = () => void (isSessionOver() && leaveSession())
    // The browser reports changes of local storage by other tabs, but not while this tab is frozen.
    const lookWhenVisible = () => document.visibilityState === 'visible' && look()
    window.addEventListener('storage', look)
    document.addEventListener('visibilitychange', lookWhenVisible)
    // Back may show the page as it was when it was left.
    window.addEventListener('pageshow', look)
    return () => {
      window.removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', lookWhenVisible)
      window.removeEventListener('pageshow', look)
      // Back to a public page, on which another person may log in. After a refused validation, the login loads the dashboard anew.
      if (!location.pathname.startsWith('/dashboard') && !showsLogin()) loadInstead(location.pathname)
    }
  }, [])
}
