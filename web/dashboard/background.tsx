import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
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
import { offered } from '../engine/verbs/verb.ts'
import { useWriteNote } from '../notes/use-go-to-note.ts'
import { rest } from '../parts/parts.ts'
import { followSettings, syncSettings, useSettings } from '../settings/settings-store.ts'
import { useDashboard, useGoToView, useIsDialogOpen, useIsOpen } from '../state/dashboard-state.tsx'
import { pageSigns } from '../state/page-needs.ts'
import { useEngine } from '../state/use-engine.tsx'
import { HeldKeys } from '../ui/held-keys.ts'
import { hasTextFieldFocus, pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { usePart } from '../ui/use-part.ts'
import { useSignal } from '../ui/use-signal.ts'
import { useSingleGestures } from '../ui/use-single-gestures.ts'
import { keysKey, quickLineKey, searchKey, writeNoteKey } from '../views/command-keys.ts'
import { viewNames, views } from '../views/views.ts'
import { isMove, pressCardKey, selectAllCards } from './card-keys.ts'
import { focusQuickLine, focusSearch } from './input-focus.ts'

/** What happens while the dashboard is open. A separate component: a new URL renders it again, and nothing around it. */
export function Background() {
  const engine = useEngine()
  useKeys(useSettings().keys)
  useSingleGestures()
  useSessionWatch()
  useEffect(() => engine.start(), [engine])
  useSettingsSync(engine)
  useEffect(() => loadRest(engine), [engine])
  return <Launch engine={engine} />
}

/** Follows an address that a shortcut of the installed page or another program opens. */
function Launch({ engine }: { engine: Engine }) {
  const { search } = useLocation()
  // The router renders the next location later than the next key comes.
  const [cancelled, setCancelled] = useState('')
  const isLaunched = /[?&](new|shared-\w+)=/.test(search) && search !== cancelled
  const hasFailed = usePart(rest, false) === 'failed'
  const navigate = useNavigate()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const follow = useEffectEvent(async () => {
    if (!isLaunched) return
    const { launch } = await rest.load()
    // The person may have gone elsewhere.
    if (location.search === search) launch(search, { engine, navigate, open, writeNote })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each URL is looked at once
  useEffect(() => void follow().catch(console.error), [search])
  function cancel() {
    setCancelled(search)
    navigate('/dashboard', { replace: true })
  }
  return isLaunched && !hasFailed && <HeldKeys part={rest} onClose={cancel} />
}

/**
 * Loads the rest of the page once the first items are shown and the page is idle, or is used, and after a failure when the connection or
 * the person is back. Before, its bytes would delay the list on a slow network. Returns the function that stops it.
 */
function loadRest({ store }: Engine) {
  const left = new AbortController()
  const { signal } = left
  const hasFailed = () => rest.state.getState() === 'failed'
  // After a failure, a view that has wanted it offers another attempt.
  const begin = () => !signal.aborted && !hasFailed() && rest.want()
  const stop = store.subscribe(() => {
    stop()
    // WebKit has no such callbacks.
    void (globalThis.requestIdleCallback ?? setTimeout)(begin)
  })
  signal.addEventListener('abort', stop)
  pageSigns.on(['use'], begin, signal)
  pageSigns.onWake(() => hasFailed() && rest.want(), signal)
  return () => left.abort()
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
  useSignal([], (signal) => {
    window.addEventListener(sessionEnded, () => logIn(), { signal })
    const look = () => void (isSessionOver() && leaveSession())
    // The browser reports changes of local storage by other tabs, but not while this tab is frozen.
    const lookWhenVisible = () => document.visibilityState === 'visible' && look()
    window.addEventListener('storage', look, { signal })
    document.addEventListener('visibilitychange', lookWhenVisible, { signal })
    // Back may show the page as it was when it was left.
    window.addEventListener('pageshow', look, { signal })
    signal.addEventListener('abort', () => {
      // Back to a public page, on which another person may log in. After a refused validation, the login loads the dashboard anew.
      if (!location.pathname.startsWith('/dashboard') && !showsLogin()) loadInstead(location.pathname)
    })
  })
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

/** Ctrl+K, and single keys for frequent commands; they do nothing while typing, with a modifier held, or with a dialog open. */
function useKeys(listening: boolean) {
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const isDialogOpen = useIsDialogOpen()
  const { selection } = useEngine()

  function press(key: string, shiftKey: boolean): boolean {
    const view = viewNames.find((name) => views[name].key === key)
    if (view) goTo(view)
    else if (key === offered.add.key) open({ name: 'addTask' })
    else if (key === writeNoteKey) writeNote()
    else if (key === quickLineKey) return focusQuickLine()
    else if (key === searchKey) return focusSearch()
    else if (key === keysKey) open({ name: 'keys' })
    else return pressCardKey({ key, shiftKey }, selection.getState())
    return true
  }

  const close = useDashboard((state) => state.close)
  const isPaletteOpen = useIsOpen('palette')
  useKeyDown(isPaletteOpen || !isDialogOpen, (event) => {
    if (pressedKey(event) !== 'k' || event.shiftKey || event.altKey || event.ctrlKey === event.metaKey) return
    // On a Mac, Ctrl+K deletes to the end of the line.
    if (event.ctrlKey && /^Mac/.test(navigator.platform) && hasTextFieldFocus(event)) return
    event.preventDefault()
    if (event.repeat) return
    if (isPaletteOpen) close('palette')
    else open({ name: 'palette' })
  })

  // A key that is held down acts once, and types nothing into the dialog that it has opened.
  const held = useRef<string>(undefined)
  useKeyDown(listening, (event) => {
    if (!event.repeat) held.current = undefined
    else if (event.key === held.current) event.preventDefault()
  })

  useKeyDown(listening && !isDialogOpen, (event) => {
    // The calendar and menus handle the arrow keys themselves.
    if (event.defaultPrevented || hasTextFieldFocus(event)) return
    const key = pressedKey(event)
    if (event.ctrlKey || event.metaKey || event.altKey) {
      const isSelectAll = key === 'a' && !event.altKey && !event.shiftKey
      if (isSelectAll && selectAllCards(selection.getState())) event.preventDefault()
      return
    }
    if (event.repeat && !isMove(key)) return
    if (!press(key, event.shiftKey)) return
    // Without this the `n` would be typed into the dialog that it opens.
    event.preventDefault()
    if (!isMove(key)) held.current = event.key
  })
}
