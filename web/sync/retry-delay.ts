const [shortest, longest] = [1000, 60_000]

/** Milliseconds before the next attempt: growing with the number of failures, and random so that clients spread out. */
export const retryDelay = (failures: number): number =>
  Math.min(longest, shortest * 2 ** failures) * (0.5 + Math.random() / 2)

/** Whether the same call can succeed later: the server was unreachable, overloaded or failed. */
export const isTemporary = (status: number): boolean => status === 0 || status === 429 || status >= 500

/** The events after which waiting is pointless: the connection is back, or a person looks at the page. */
export function onWake(wake: () => void, signal: AbortSignal) {
  window.addEventListener('online', wake, { signal })
  window.addEventListener('focus', wake, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake(), {
    signal,
  })
}

/** Waits before the next attempt; without a connection, until it is back. A wake event ends the wait. */
export function waitToRetry(failures: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = new AbortController()
  const timer = navigator.onLine ? setTimeout(resolve, retryDelay(failures)) : undefined
  onWake(resolve, AbortSignal.any([signal, done.signal]))
  signal.addEventListener('abort', () => resolve(), { signal: done.signal })
  return promise.finally(() => {
    clearTimeout(timer)
    done.abort()
  })
}
