import { useEffect } from 'react'
import { mayPass } from '../../engine/sync/retry-delay.ts'
import { useEngine } from '../../state/use-engine.tsx'

/**
 * Repeats what failed, if it may pass, after growing delays and until it succeeds. `attempt` throws, and is the same function on each
 * rendering; until it succeeds, `failed` is the same error.
 */
export function useRetry(failed: Error | undefined, attempt: () => Promise<unknown>) {
  const { untilDone, wait } = useEngine().needs
  useEffect(() => {
    if (!failed || !mayPass(failed)) return
    const left = new AbortController()
    wait(1, left.signal)
      .then(() => untilDone(attempt, left.signal))
      .catch((error) => left.signal.aborted || console.error(error))
    return () => left.abort()
  }, [failed, attempt, untilDone, wait])
}
