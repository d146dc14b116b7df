import { Link } from 'react-router'
import { useStore } from 'zustand'
import { useJournal, useLate } from '../state/dashboard.tsx'
import { offline, refused, unstored } from '../store/page-connection.ts'
import { Icon } from '../ui/icon.tsx'
import { UnsentCount } from './waiting/unsent-count.tsx'
import './unsent-state.css'

/**
 * Says which changes this device keeps while the page is offline, the server refuses its changes or nothing can be stored, and
 * how many changes wait to be sent.
 */
export function UnsentState() {
  const isOffline = useStore(offline)
  // Another person may have logged in since; the server has not rejected that person's changes.
  const hasUnsent = useJournal((journal) => journal.entries().length > 0)
  const refusal = useStore(refused)
  const hasUnstored = useJournal((journal) => journal.unstored() > 0)
  const isUnstored = useStore(unstored)
  const isWaiting = useLate((late) => late.length > 0)
  const kept = hasUnstored
    ? 'this browser cannot store changes, keep this page open'
    : 'changes are kept on this device'
  const isKept = isOffline || hasUnstored
  const isRefused = hasUnsent && refusal !== undefined
  const isOutdated = refusal === 412
  return (
    <section className="message unsent-state" aria-label="Waiting changes">
      {(isKept || isRefused || isUnstored || isWaiting) && <Icon name="someday" />}
      <div>
        <p role="status">
          {isKept ? (
            <span>
              {isOffline ? 'Offline' : 'Not sent yet'}: {kept}
            </span>
          ) : (
            isRefused && (
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
        <UnsentCount />
      </div>
    </section>
  )
}
