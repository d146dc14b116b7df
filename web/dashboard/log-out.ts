import { call } from '../api/client.ts'
import { endSession, leaveFor } from '../api/session.ts'

/** Ends the session: clears local storage and goes to / (specification section 2), in a new document. */
export function logOut(): void {
  // The token is forgotten here whether or not the call reaches the server.
  call('POST /user/logout', { keepalive: true }).catch(console.error)
  endSession()
  leaveFor('/')
}
