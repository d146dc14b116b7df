import { useEffect, useReducer } from 'react'
import { useLate } from '../../state/dashboard.tsx'

/** In milliseconds: how often the age is renewed. */
const renewal = 30_000

/** How many changes and texts of notes are not sent, and from a minute on how old the first of them is. */
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
