import type { Needs } from '../needs.ts'
import type { Connection } from './page-connection.ts'

/** Milliseconds without a use after which the page counts as unused. */
const quietFor = 2000

/** Follows whether anybody uses the page. */
export function followUse(
  { isOnline, isVisible, on }: Needs,
  { offline }: Pick<Connection, 'offline'>,
  signal: AbortSignal,
) {
  let [usedAt, unused] = [performance.now(), new AbortController()]
  function used() {
    usedAt = performance.now()
    unused.abort()
    unused = new AbortController()
  }
  on(['use', 'offline'], used, signal)

  return {
    /** Waits until the page is visible, unused and not offline. The returned signal is aborted at the next use. */
    async untilUnused(): Promise<AbortSignal> {
      for (;;) {
        signal.throwIfAborted()
        const rest = usedAt + quietFor - performance.now()
        const isFree = rest <= 0 && isVisible()
        if (isFree && isOnline() && !offline.getState()) return AbortSignal.any([unused.signal, signal])
        await new Promise((resolve) => setTimeout(resolve, Math.max(rest, quietFor / 2)))
      }
    },
  }
}
