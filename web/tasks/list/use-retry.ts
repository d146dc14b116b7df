import { mayPass } from '../../engine/sync/retry-delay.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { useSignal } from '../../ui/use-signal.ts'

/** Until `attempt` succeeds, it and `failed` must be the same on each rendering. */
export function useRetry(failed: Error | undefined, attempt: () => Promise<unknown>) {
  const { untilDone, wait } = useEngine().needs
  useSignal([failed, attempt, untilDone, wait], (signal) => {
    if (!failed || !mayPass(failed)) return
    wait(1, signal)
      .then(() => untilDone(attempt, signal))
      .catch((error) => signal.aborted || console.error(error))
  })
}
