import { call } from './client.ts'
import { storedToken } from './session.ts'

/** Ends the session that this browser still holds, before a login or signup replaces its token. The new session does not wait for it. */
export function endHeldSession(): void {
  if (storedToken() !== null) call('POST /user/logout', { keepalive: true }).catch(console.error)
}
