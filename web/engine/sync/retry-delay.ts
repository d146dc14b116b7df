import { problemFrom } from '../../api/client.ts'

const [shortest, longest] = [1000, 60_000]

/** Milliseconds before the next attempt. They grow with the number of failures, and are random so that clients spread out. */
const retryDelay = (failures: number): number =>
  Math.min(longest, shortest * 2 ** failures) * (0.5 + Math.random() / 2)

/** Whether the same call can succeed later. The server was unreachable, overloaded or failed, or the call arrived in part. */
export const isTemporary = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500

/**
 * Whether an answer with this status, or no answer, leaves open what the call did. A gateway without an answer does not know
 * whether the server has done it, or the server wants more time.
 */
export const isUnanswered = (status: number): boolean =>
  [0, 408, 425, 429, 502, 503, 504].includes(status) || status >= 520

/** Whether an attempt that failed like this can succeed later. */
export const mayPass = (error: unknown): boolean => isTemporary(problemFrom(error)?.status ?? 400)

/** The event of a window when a call has reached the server again. The browser reports only its own connection. */
export const serverIsBack = 'back'

/** The event of a window when a person looks at another tab of the account, for which this tab may read the stream or send the changes. */
export const otherTabShown = 'other tab shown'

/** Calls `wake` when a wait is pointless, because the connection or the server is back, or because a person looks at the page. */
export function onWake(wake: () => void, signal: AbortSignal) {
  window.addEventListener('online', wake, { signal })
  window.addEventListener(serverIsBack, wake, { signal })
  window.addEventListener('focus', wake, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake(), {
    signal,
  })
}

/**
 * Returns a function that does `work` at once when it is called. The next call does it only after a delay, which grows until
 * the function was not called for a minute. An answer can be the reason for the next call.
 */
export function paced(work: () => void, signal: AbortSignal): () => void {
  let [repeats, last, isWaiting] = [0, Number.NEGATIVE_INFINITY, false]
  return async () => {
    if (isWaiting) return
    if (performance.now() - last > longest) repeats = 0
    isWaiting = true
    if (repeats > 0) await waitToRetry(repeats - 1, signal)
    isWaiting = false
    if (signal.aborted) return
    repeats++
    last = performance.now()
    work()
  }
}

/** Waits before the next attempt; without a connection, until it is back. A wake event ends the wait. */
export async function waitToRetry(failures: number, signal: AbortSignal) {
  if (signal.aborted) return
  const done = new AbortController()
  await new Promise<void>((resolve) => {
    const timer = navigator.onLine ? setTimeout(resolve, retryDelay(failures)) : undefined
    done.signal.addEventListener('abort', () => clearTimeout(timer))
    onWake(resolve, done.signal)
    window.addEventListener(otherTabShown, () => resolve(), { signal: done.signal })
    signal.addEventListener('abort', () => resolve(), { signal: done.signal })
  })
  done.abort()
}

/** Attempts something until it succeeds. Throws when aborted, and after a failure that another attempt would repeat. */
export async function untilDone<Value>(
  attempt: () => Promise<Value>,
  signal: AbortSignal,
  isRepeated = mayPass,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted || !isRepeated(error)) throw error
    }
    await waitToRetry(failures, signal)
  }
}
