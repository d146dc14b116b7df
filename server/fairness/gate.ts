import { FairQueue } from './fair-queue.ts'

type Leave = () => void

type Waiter = {
  groups: readonly string[]
  start: (leave: Leave) => void
  reject: (error: Error) => void
  isGone: boolean
}

type Max = {
  running: number
  /** How many of `running` are reserved for sites without running work. Otherwise a few sites could hold all of them for long. */
  reserved?: number
  waiting: number
  /** In milliseconds. */
  longestWait?: number
}

/**
 * Limits the work that runs and waits concurrently. The groups take turns, so a group with many waiters delays only
 * itself. When the queue is full, the newest waiter of the group with the most waiters is rejected, and so is a waiter that
 * has waited for `longestWait`.
 */
export function createGate(max: Max, rejection: () => Error) {
  const queue = new FairQueue<Waiter>(1)
  const shared = max.running - (max.reserved ?? 0)
  let running = 0
  const runningOf = new Map<string, number>()

  function start(waiter: Waiter) {
    const site = siteIn(waiter.groups)
    running++
    runningOf.set(site, (runningOf.get(site) ?? 0) + 1)
    waiter.start(() => {
      running--
      const left = (runningOf.get(site) ?? 1) - 1
      if (left > 0) runningOf.set(site, left)
      else runningOf.delete(site)
      startNext()
    })
  }

  function startNext() {
    while (running < shared) {
      const next = queue.take()
      if (!next) return
      if (next.isGone) continue
      queue.charge(1)
      start(next)
    }
  }

  /**
   * Resolves when work of these groups may begin, to the function that must be called when it has ended. `isBegun`: it continues
   * work that has begun, and goes before new work of its groups.
   */
  function enter(groups: readonly string[], isBegun = false): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { groups, start: resolve, reject, isGone: false }
      const isFull = running >= shared
      if (isFull && running < max.running && !runningOf.has(siteIn(groups))) return start(waiter)
      if (isFull && max.longestWait !== undefined) {
        const timer = setTimeout(() => {
          waiter.isGone = true
          reject(rejection())
        }, max.longestWait)
        waiter.start = (leave) => {
          clearTimeout(timer)
          resolve(leave)
        }
      }
      queue.push(groups, waiter, isBegun)
      startNext()
      if (queue.size > max.waiting) queue.dropNewest()?.reject(rejection())
    })
  }

  async function inTurn<T>(groups: readonly string[], work: () => Promise<T>): Promise<T> {
    const leave = await enter(groups)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    enter,
    inTurn,
    /** The number of waiters in the queue. */
    get waiting() {
      return queue.size
    },
  }
}

/** Returns the site in the groups of a client, which `partyOf` makes. */
const siteIn = ([, site = '']: readonly string[]) => site
