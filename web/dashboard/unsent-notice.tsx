import { Link } from 'react-router'
import { useStore } from 'zustand'
import { loggedOut, offline, unstored } from '../store/connection.ts'
import { useOutbox } from '../tasks/outbox.ts'
import { useChunk } from '../ui/use-chunk.ts'
import './unsent-notice.css'

const loadDecisions = () => import('./unsent-decisions.tsx')

/** Says which changes this device keeps while the page is offline, the session has ended or nothing can be stored, and which changes the server has rejected. */
export function UnsentNotice() {
  const isOffline = useStore(offline)
  // Another person may have logged in since, whose changes were never refused.
  const hasUnsent = useOutbox((outbox) => outbox.entries().length > 0)
  const isLoggedOut = useStore(loggedOut) && hasUnsent
  const hasUnstored = useOutbox((outbox) => outbox.unstored() > 0)
  const isUnstored = useStore(unstored)
  const isRejected = useOutbox((outbox) => outbox.entries().some(({ failure, typed }) => failure && !typed))
  // With the first change that may be rejected, and after a failure when the page is online again.
  const [loaded] = useChunk(loadDecisions, hasUnsent && !isOffline)
  return (
    <>
      <p role="status" className="unsent-notice">
        {isOffline && 'Offline: changes are kept on this device'}
        {isLoggedOut && (
          <>
            You are logged out: changes are kept on this device. <Link to="/login">Log in</Link> to send them.
          </>
        )}
        {hasUnstored && ' This browser cannot store changes: keep this page open until they are sent'}
        {isUnstored && ' Tasks and notes are not stored in this browser: opening this page needs a network'}
      </p>
      {isRejected && loaded && loaded !== 'failed' && <loaded.UnsentDecisions />}
    </>
  )
}
