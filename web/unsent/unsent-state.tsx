import { useEffect, useReducer } from 'react'
import { useStore } from 'zustand'
import { useEngine, useJournal, useLate } from '../state/use-engine.tsx'
import { useIsOver } from '../ui/delayed.tsx'
import { Icon } from '../ui/icon.tsx'
import './unsent-state.css'

export function UnsentState() {
  const { offline, outdated, unstored } = useEngine().connection
  const isOffline = useStore(offline)
  const hasUnsent = useJournal((journal) => journal.entries().length > 0)
  const isOutdated = useStore(outdated)
  const hasUnstored = useJournal((journal) => journal.unstored() > 0)
  const isUnstored = useStore(unstored)
  const waiting = useLate((late) => late.length)
  const kept = hasUnstored
    ? 'this browser cannot store changes, keep this page open'
    : 'changes are kept on this device'
  const isKept = isOffline || hasUnstored
  const isBrief = useIsOver(isOffline, shownFor)
  const isRefused = hasUnsent && isOutdated
  return (
    <section
      className="message edged row soft small unsent-state"
      aria-label="Waiting changes"
      data-count={waiting || undefined}
      data-brief={isBrief && !hasUnstored && !isRefused && !isUnstored}
    >
      {(isKept || isRefused || isUnstored || waiting > 0) && <Icon name="someday" />}
      <div className="wraps words">
        <p role="status">
          {isKept ? (
            <span className="block">
              {isOffline ? 'Offline' : 'Not sent yet'}: {kept}
            </span>
          ) : (
            isRefused && (
              <span className="block">Daymark has been updated: {kept}. Reload the page to send them.</span>
            )
          )}
          {isUnstored && (
            <span className="block">
              Tasks and notes are not stored in this browser: opening this page needs a network
            </span>
          )}
        </p>
        <UnsentCount />
      </div>
    </section>
  )
}

/** In milliseconds: how long a phone says in words that it is offline. Afterwards it shows the sign and the number of changes. */
const shownFor = 8000

/** In milliseconds: how often the age is renewed. */
const renewal = 30_000

/** From a minute on, with the age of the oldest. */
function UnsentCount() {
  const late = useLate((late) => late)
  const count = late.length
  const [, renew] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (count === 0) return
    const interval = setInterval(renew, renewal)
    return () => clearInterval(interval)
  }, [count])
  if (count === 0) return
  const age = ageOf(Date.now() - Math.min(...late.map(({ at }) => at)))
  const waiting = count === 1 ? '1 change waiting to sync' : `${count} changes waiting to sync`
  return <p>{age ? `${waiting}, the oldest for ${age}` : waiting}</p>
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** On one line; empty below a minute. */
function ageOf(milliseconds: number): string {
  if (milliseconds >= day) return `${Math.floor(milliseconds / day)}\u00a0d`
  if (milliseconds >= hour) return `${Math.floor(milliseconds / hour)}\u00a0h`
  return milliseconds >= minute ? `${Math.floor(milliseconds / minute)}\u00a0min` : ''
}
