import { createClient } from './client.ts'
import { untilPageStays } from './page-unload.ts'
import {
  endByServer,
  hasSessionEnded,
  isSessionOver,
  leaveSession,
  showsLogin,
  storedToken,
} from './session.ts'

export const pageSession = {
  token: storedToken,
  isOver: isSessionOver,
  hasEnded: hasSessionEnded,
  showsLogin,
  leave: leaveSession,
  endByServer,
}

export const pageClient = createClient({
  session: pageSession,
  onNewerServer: lookForNewVersion,
  untilCut: untilPageStays,
})

export const { call } = pageClient

/** Makes the browser look for a new build, which the worker stores and offers. */
export async function lookForNewVersion(): Promise<void> {
  // Without HTTPS there is no `serviceWorker`.
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.update().catch(console.warn)
}
