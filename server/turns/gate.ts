import { FairQueue } from './fair-queue.ts'
import type { Groups } from './turns.ts'

type Leave = () => void

type Waiter = {
  groups: Groups
  start: (leave: Leave) => void
  reject: (error: Error) => void
  isGone: boolean
}

type Max = {
  running: number
  /** How many of `running` are reserved for networks without running work. Otherwise a few could hold all of them for long. */
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
export function createGate(
  { running: most, reserved = 0, waiting, longestWait }: Max,
  rejection: () => Error,
) {
  const queue = new FairQueue<Waiter>(1)
  const shared = most - reserved
  let running = 0
  const runningOf = new Map<string, number>()

  function start(waiter: Waiter) {
    const network = networkIn(waiter.groups)
    const change = (count: number) => {
      running += count
      runningOf.set(network, (runningOf.get(network) ?? 0) + count)
      if (runningOf.get(network) === 0) runningOf.delete(network)
    }
    change(1)
    waiter.start(() => {
      change(-1)
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
  function enter(groups: Groups, isBegun = false): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { groups, start: resolve, reject, isGone: false }
      const isFull = running >= shared
      if (isFull && running < most && !runningOf.has(networkIn(groups))) return start(waiter)
      if (isFull && longestWait !== undefined) {
        const timer = setTimeout(() => {
          waiter.isGone = true
          reject(rejection())
        }, longestWait)
        waiter.start = (leave) => {
          clearTimeout(timer)
          resolve(leave)
        }
      }
      queue.push(groups, waiter, isBegun)
      startNext()
      if (queue.size > waiting) queue.dropNewest()?.reject(rejection())
    })
  }

  return {
    enter,
    async inTurn<T>(groups: Groups, work: () => Promise<T>): Promise<T> {
      const leave = await enter(groups)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    /** The number of waiters in the queue. */
    get waiting() {
      return queue.size
    },
  }
}

/** The network in the groups of a client, which `groupsOf` makes. */
const networkIn = ([, network = '']: Groups) => network
