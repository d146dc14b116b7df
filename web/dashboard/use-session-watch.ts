import { useEffect } from 'react'
import { beginDashboard, isSessionOver, leaveSession } from '../api/session.ts'

/** Binds the page to its session, and follows it in other tabs: a logout leaves the dashboard, another login reloads it. */
export function useSessionWatch() {
  useEffect(() => {
    beginDashboard()
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
    }
  }, [])
}
