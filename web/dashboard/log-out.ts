import type { NavigateFunction } from 'react-router'
import { call } from '../api/client.ts'
import { endSession } from '../api/session.ts'

/** Ends the session: clears local storage and goes to / (specification section 2). */
export function logOut(navigate: NavigateFunction): void {
  // The token is forgotten here whether or not the call reaches the server.
  call('POST /user/logout', { keepalive: true }).catch(console.error)
  endSession()
  navigate('/', { replace: true })
}
