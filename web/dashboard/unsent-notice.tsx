import { Link } from 'react-router'
import { useStore } from 'zustand'
import { loggedOut, offline } from '../store/connection.ts'
import { useOutbox } from '../tasks/outbox.ts'
import { useChunk } from '../ui/use-chunk.ts'
import './unsent-notice.css'

const loadDecisions = () => import('./unsent-decisions.tsx')

/** Says that changes are kept on this device while the page is offline or the session has ended, and which the server has not taken. */
export function UnsentNotice() {
  const isOffline = useStore(offline)
  // Another person may have logged in since, whose changes were never refused.
  const hasUnsent = useOutbox((outbox) => outbox.entries().length > 0)
  const isLoggedOut = useStore(loggedOut) && hasUnsent
  const unstored = useOutbox((outbox) => outbox.unstored())
  const isRejected = useOutbox((outbox) => outbox.entries().some(({ failure, typed }) => failure && !typed))
  const [loaded] = useChunk(loadDecisions, isRejected)
  return (
    <>
      <p role="status" className="unsent-notice">
        {isOffline && 'Offline: changes are kept on this device'}
        {isLoggedOut && (
          <>
            You are logged out: changes are kept on this device. <Link to="/login">Log in</Link> to send them.
          </>
        )}
        {unstored > 0 && ' This browser cannot store changes: keep this page open until they are sent'}
      </p>
      {isRejected && loaded && loaded !== 'failed' && <loaded.UnsentDecisions />}
    </>
  )
}
