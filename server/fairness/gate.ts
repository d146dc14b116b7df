import { FairQueue } from './fair-queue.ts'

type Entry = { start: () => void; reject: (error: Error) => void; isGone: boolean }

/**
 * Limits the work that runs and waits concurrently. The groups take turns, so a group with many entries delays only
 * itself. When the queue is full, the newest entry of the group with the most entries is rejected, and so is an entry that
 * has waited for `longestWait` milliseconds.
 */
export function createGate(
  max: { running: number; waiting: number; longestWait?: number },
  rejection: () => Error,
) {
  const queue = new FairQueue<Entry>(1)
  let running = 0

  function startNext() {
    while (running < max.running) {
      const next = queue.take()
      if (!next) return
      if (next.isGone) continue
      queue.charge(1)
      running++
      next.start()
    }
  }

  /**
   * Resolves when work of these groups may begin; `leave` must be called when it has ended. `isBegun`: it continues work that has
   * begun, and goes before new work of its groups.
   */
  function enter(groups: readonly string[], isBegun = false): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const entry: Entry = { start: resolve, reject, isGone: false }
      if (max.longestWait !== undefined && running >= max.running) {
        const timer = setTimeout(() => {
          entry.isGone = true
          reject(rejection())
        }, max.longestWait)
        entry.start = () => {
          clearTimeout(timer)
          resolve()
        }
      }
      queue.push(groups, entry, isBegun)
      startNext()
      if (queue.size > max.waiting) queue.dropNewest()?.reject(rejection())
    })
  }

  function leave() {
    running--
    startNext()
  }

  async function inTurn<T>(groups: readonly string[], work: () => Promise<T>): Promise<T> {
    await enter(groups)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    enter,
    leave,
    inTurn,
    /** The number of entries that wait. */
    get waiting() {
      return queue.size
    },
  }
}
