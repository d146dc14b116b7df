import { call } from './client.ts'
import { storedToken } from './session.ts'

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
