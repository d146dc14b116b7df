import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lists } from '#contract/lists.ts'
import {
  isSessionOver,
  leaveSession,
  loadInstead,
  ownAccount,
  sessionEnded,
  showsLogin,
} from '../api/session.ts'
import type { Engine } from '../engine/engine.ts'
import { useWriteNote } from '../notes/use-write-note.ts'
import { followSettings, syncSettings, useSettings } from '../settings/settings-store.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { useSingleGestures } from '../ui/use-single-gestures.ts'
import { useKeys } from './use-keys.ts'

/** What happens while the dashboard is open. A separate component: a new URL renders it again, and nothing around it. */
export function Background() {
  const engine = useEngine()
  useKeys(useSettings().keys)
  useSingleGestures()
  useLaunch(engine)
  useSessionWatch()
  useEffect(() => engine.start(), [engine])
  useSettingsSync(engine)
  return null
}

/** Follows an address that a shortcut of the installed page or another program opens; rare, so in a separate chunk. */
function useLaunch(engine: Engine) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const follow = useEffectEvent(async () => {
    if (!/[?&](new|shared-\w+)=/.test(search)) return
    const { launch } = await import('./launch.ts')
    launch(search, { engine, navigate, open, writeNote })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each URL is looked at once
  useEffect(() => void follow().catch(console.error), [search])
}

/** Where there is no Navigation API, a Back that has just begun is given up. */
function markPlace() {
  const state = { account: ownAccount() }
  if ('navigation' in window) navigation.updateCurrentEntry({ state })
  else history.replaceState({ ...history.state, ...state }, '')
}

/** Follows the session in other tabs: a logout leaves the dashboard, another login reloads it. */
function useSessionWatch() {
  const navigate = useNavigate()
  const place = useLocation()
  const logIn = useEffectEvent(() => navigate('/login', { replace: true }))
  // Whose address it is, see `beginDashboard`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each place is marked once
  useEffect(markPlace, [place.key])
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    window.addEventListener(sessionEnded, () => logIn(), { signal })
    const look = () => void (isSessionOver() && leaveSession())
    // The browser reports changes of local storage by other tabs, but not while this tab is frozen.
    const lookWhenVisible = () => document.visibilityState === 'visible' && look()
    window.addEventListener('storage', look, { signal })
    document.addEventListener('visibilitychange', lookWhenVisible, { signal })
    // Back may show the page as it was when it was left.
    window.addEventListener('pageshow', look, { signal })
    return () => {
      left.abort()
      // Back to a public page, on which another person may log in. After a refused validation, the login loads the dashboard anew.
      if (!location.pathname.startsWith('/dashboard') && !showsLogin()) loadInstead(location.pathname)
    }
  }, [])
}

/** Applies the settings that this browser keeps, and fetches them once the panel has its list, which comes first. */
function useSettingsSync(engine: Engine) {
  useLayoutEffect(followSettings, [])
  useEffect(() => {
    const { fetched } = engine
    const stop = fetched.onAnswer((name) => {
      const isOfPanel = name === 'notes' || name in lists
      if (!isOfPanel || fetched.open(name)?.getState().failure) return
      stop()
      syncSettings()
    })
    return stop
  }, [engine])
}
