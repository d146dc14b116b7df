import { createStore } from 'zustand/vanilla'
import { onReach } from '../../api/client.ts'
import { isSessionOver } from '../../api/session.ts'
import { serverIsBack } from '../sync/retry-delay.ts'

/**
 * Whether the page knows that it is offline. It is offline when a call got no answer, and the browser has no connection or a
 * probe got no answer either.
 */
export const offline = createStore(() => false)

/** Whether the server has refused the changes of this page because it no longer knows the build (412). */
export const outdated = createStore(() => false)

/** Whether the page says that this browser stores nothing. */
export const unstored = createStore(() => false)

/** Says, once until the next logout, that the page works from memory alone. */
export function sayUnstored() {
  const key = 'unstored'
  if (isSessionOver() || localStorage.getItem(key)) return
  unstored.setState(true, true)
  try {
    localStorage.setItem(key, 'said')
  } catch {
    // It is full: then it is said again at the next visit.
  }
}

/** How many calls got an answer. */
let answered = 0

/** Finds out whether the page is offline, after a call got no answer. */
export async function isOffline(): Promise<boolean> {
  const before = answered
  // A call that got an answer during the probe knows better.
  const is = (!navigator.onLine || !(await isReachable())) && answered === before
  offline.setState(is, true)
  return is
}

/** In milliseconds: a network that lets nothing through can leave a call open for minutes. */
const longestProbe = 5000

const isReachable = () =>
  fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(longestProbe) }).then(
    () => true,
    () => false,
  )

/** Follows whether the calls of the page reach the server. */
export function followConnection(signal: AbortSignal) {
  signal.addEventListener(
    'abort',
    onReach((isReached) => {
      if (isReached) answered++
      if (isReached === !offline.getState()) return
      if (!isReached) return void isOffline()
      offline.setState(false, true)
      window.dispatchEvent(new Event(serverIsBack))
    }),
  )
  window.addEventListener('online', () => offline.getState() && isOffline(), { signal })
}
