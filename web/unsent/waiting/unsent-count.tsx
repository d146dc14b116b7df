import { useEffect, useReducer } from 'react'
import { useLate } from '../../state/dashboard.tsx'
import './unsent-count.css'

/** In milliseconds: how often the age is renewed. */
const renewal = 30_000

/** How many changes and texts of notes are not sent, and how old the first of them is. */
export function UnsentCount() {
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
  return (
    <p className="unsent-count">
      <span className="visually-hidden">
        {count} {count === 1 ? 'change' : 'changes'} waiting to sync, the oldest for {age}
      </span>
      <span aria-hidden="true">
        {count} <span className="unsent-word">{count === 1 ? 'change' : 'changes'}</span> waiting{' '}
        <span className="unsent-word">to sync</span>
      </span>
    </p>
  )
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** At least a minute; on one line. */
function ageOf(milliseconds: number): string {
  if (milliseconds >= day) return `${Math.floor(milliseconds / day)}\u00a0d`
  if (milliseconds >= hour) return `${Math.floor(milliseconds / hour)}\u00a0h`
  return `${Math.max(1, Math.floor(milliseconds / minute))}\u00a0min`
}
