import { endHeldSession } from '../api/held-session.ts'
import { endSession, isSessionOver, leaveFor, leaveSession } from '../api/session.ts'

/** Ends the session: clears local storage and goes to / (specification section 2), in a new document. */
export function logOut(): void {
  // The storage now belongs to whoever has logged in in another tab.
  if (isSessionOver()) return void leaveSession()
  // The token is forgotten here whether or not the call reaches the server.
  endHeldSession()
  endSession()
  leaveFor('/')
}
