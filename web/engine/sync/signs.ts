import { mayPass } from './retry-delay.ts'

const [shortest, longest] = [1000, 60_000]

/** Milliseconds before the next attempt. They double with each failure, and are random so that clients spread out. */
const retryDelay = (failures: number): number =>
  Math.min(longest, shortest * 2 ** failures) * (0.5 + Math.random() / 2)

/** `use`: a person uses the page. `back`: a call reached the server again. `other tab shown`: this tab may hold its locks. */
export type Sign = 'online' | 'offline' | 'shown' | 'hidden' | 'focus' | 'use' | 'back' | 'other tab shown'

export type Signs = ReturnType<typeof createSigns>

export function createSigns(page: { isOnline(): boolean; isVisible(): boolean }) {
  const events = new EventTarget()

  const tell = (sign: Sign) => void events.dispatchEvent(new Event(sign))

  const on = (signs: readonly Sign[], listener: () => void, signal: AbortSignal) => {
    for (const sign of signs) events.addEventListener(sign, listener, { signal })
  }

  /** Calls `wake` when the connection or the server is back, or a person looks at the page. */
  const onWake = (wake: () => void, signal: AbortSignal) =>
    on(['online', 'back', 'focus', 'shown'], wake, signal)

  /** Waits before the next attempt: offline until the connection is back, otherwise until a wake-up at the latest. */
  async function wait(failures: number, signal: AbortSignal) {
    if (signal.aborted) return
    const done = new AbortController()
    await new Promise<void>((resolve) => {
      const timer = page.isOnline() ? setTimeout(resolve, retryDelay(failures)) : undefined
      done.signal.addEventListener('abort', () => clearTimeout(timer))
      onWake(resolve, done.signal)
      on(['other tab shown'], resolve, done.signal)
      signal.addEventListener('abort', () => resolve(), { signal: done.signal })
    })
    done.abort()
  }

  return {
    ...page,
    tell,
    on,
    onWake,
    wait,

    /** Returns a function that does `work`, first at once, then after a growing delay: an answer can cause the next call. */
    paced(work: () => void, signal: AbortSignal): () => void {
      let [repeats, last, isWaiting] = [0, Number.NEGATIVE_INFINITY, false]
      return async () => {
        if (isWaiting) return
        if (performance.now() - last > longest) repeats = 0
        isWaiting = true
        if (repeats > 0) await wait(repeats - 1, signal)
        isWaiting = false
        if (signal.aborted) return
        repeats++
        last = performance.now()
        work()
      }
    },

    /** Repeats an attempt until it succeeds. Throws when aborted, and after a failure that is not to be repeated. */
    async untilDone<Value>(
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
        await wait(failures, signal)
      }
    },
  }
}
