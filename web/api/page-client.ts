import { createClient } from './client.ts'
import { lookForNewVersion } from './new-version.ts'
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
