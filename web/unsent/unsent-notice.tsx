import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useStore } from 'zustand'
import { useJournal } from '../state/dashboard.tsx'
import { offline, refused, unstored } from '../store/page-connection.ts'
import { useChunk } from '../ui/use-chunk.ts'
import { damagedUnsent } from './kept/unsent-storage.ts'
import { toDecide } from './waiting/waiting.ts'
import './unsent-notice.css'

const loadDecisions = () => import('./unsent-decisions.tsx')

/**
 * Says which changes this device keeps while the page is offline, the server refuses its changes or nothing can be stored, and
 * which changes the server has rejected.
 */
export function UnsentNotice() {
  const isOffline = useStore(offline)
  // Another person may have logged in since; the server has not rejected that person's changes.
  const hasUnsent = useJournal((journal) => journal.entries().length > 0)
  const refusal = useStore(refused)
  const hasUnstored = useJournal((journal) => journal.unstored() > 0)
  const kept = hasUnstored
    ? 'this browser cannot store changes, keep this page open'
    : 'changes are kept on this device'
  const isUnstored = useStore(unstored)
  const isRejected = useJournal((journal) => toDecide(journal.entries()).length > 0)
  const [hasDamaged, setDamaged] = useState(false)
  // Not during rendering: the prerendered page has no storage.
  useEffect(() => setDamaged(damagedUnsent().length > 0), [])
  // With the first change that may be rejected, and after a failure when the page is online again.
  const [loaded] = useChunk(loadDecisions, (hasUnsent || hasDamaged) && !isOffline)

  const isOutdated = refusal === 412
  return (
    <>
      <p role="status" className="unsent-notice">
        {isOffline || hasUnstored ? (
          <span>
            {isOffline ? 'Offline' : 'Not sent yet'}: {kept}
          </span>
        ) : (
          hasUnsent &&
          refusal && (
            <span>
              {isOutdated ? 'Daymark has been updated' : 'You are logged out'}: {kept}.{' '}
              {isOutdated ? 'Reload the page' : <Link to="/login">Log in</Link>} to send them.
            </span>
          )
        )}
        {isUnstored && (
          <span>Tasks and notes are not stored in this browser: opening this page needs a network</span>
        )}
      </p>
      {(isRejected || hasDamaged) && loaded && loaded !== 'failed' && (
        <loaded.UnsentDecisions hasDamaged={hasDamaged} onDiscarded={() => setDamaged(false)} />
      )}
    </>
  )
}
