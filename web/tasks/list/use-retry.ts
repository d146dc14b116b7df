import { useEffect } from 'react'
import { mayPass } from '../../engine/sync/retry-delay.ts'
import { useEngine } from '../../state/use-engine.tsx'

/** Until `attempt` succeeds, it and `failed` must be the same on each rendering. */
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
