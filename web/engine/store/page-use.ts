import { offline } from './page-connection.ts'

/** What a person does with the page. */
const uses = ['pointerdown', 'keydown', 'input', 'wheel', 'touchmove'] as const

/** Milliseconds without a use after which the page counts as unused. */
const quietFor = 2000

/** Follows whether anybody uses the page. */
export function followUse(signal: AbortSignal) {
  let [usedAt, unused] = [performance.now(), new AbortController()]
  function used() {
    usedAt = performance.now()
    unused.abort()
    unused = new AbortController()
  }
  for (const name of uses) window.addEventListener(name, used, { capture: true, passive: true, signal })
  window.addEventListener('offline', used, { signal })

  return {
    /** Waits until the page is visible, unused and not offline. The returned signal is aborted at the next use. */
    async untilUnused(): Promise<AbortSignal> {
      for (;;) {
        signal.throwIfAborted()
        const rest = usedAt + quietFor - performance.now()
        const isFree = rest <= 0 && document.visibilityState === 'visible'
        if (isFree && navigator.onLine && !offline.getState()) return AbortSignal.any([unused.signal, signal])
        await new Promise((resolve) => setTimeout(resolve, Math.max(rest, quietFor / 2)))
      }
    },
  }
}
