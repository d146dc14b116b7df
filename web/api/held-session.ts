import { call } from './page-client.ts'
import { endSession, isSessionOver, leaveFor, leaveSession, storedToken } from './session.ts'

/**
 * Ends the session that this browser still holds, before its token is removed or replaced. Nothing waits for the call. The worker repeats
 * it, because without a network it gets no answer, and this page may be gone when the network is back.
 */
export function endHeldSession(): void {
  const ended = storedToken()
  if (ended === null) return
  // Without HTTPS there is no `serviceWorker`.
  navigator.serviceWorker?.controller?.postMessage({ ended })
  call('POST /user/logout', { keepalive: true }).catch(console.error)
}

/** Ends the session: clears local storage and goes to / (specification section 2), in a new document. */
export function logOut(): void {
  // The storage now belongs to whoever has logged in in another tab.
  if (isSessionOver()) return void leaveSession()
  // The token is forgotten here whether or not the call reaches the server.
  endHeldSession()
  endSession()
  leaveFor('/')
}
