import { call } from './page-client.ts'
import { endSession, isSessionOver, leaveFor, leaveSession, storedToken } from './session.ts'

/** Ends the session on the server, and waits for nothing. The worker repeats the call: there may be no network now. */
export function endHeldSession(): void {
  const ended = storedToken()
  if (ended === null) return
  // Without HTTPS there is no `serviceWorker`.
  navigator.serviceWorker?.controller?.postMessage({ ended })
  call('POST /user/logout', { keepalive: true }).catch(console.error)
}

/** Clears local storage and loads `/` (specification section 2). */
export function logOut(): void {
  // The storage belongs to the session of another tab.
  if (isSessionOver()) return void leaveSession()
  // The token is removed even if the call does not reach the server.
  endHeldSession()
  endSession()
  leaveFor('/')
}
