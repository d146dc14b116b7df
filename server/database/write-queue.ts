import { channel } from 'node:diagnostics_channel'
import { unavailable } from '../errors.ts'
import { FairQueue } from '../turns/fair-queue.ts'
import { currentGroups } from '../turns/turns.ts'
import type { Db } from './schema.ts'

export type Work = (db: Db) => Promise<unknown>

type Waiting = {
  work: Work
  changes: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

export type Batch = {
  readonly works: readonly Work[]
  /** Takes another work from the queue and returns it. Returns undefined if the transaction should end. */
  next(): Work | undefined
}

type Options = {
  /**
   * When a transaction has this many changes, no write joins it. The results of all its writes are in memory until it ends, and
   * the result of a write of many changes can take several megabytes.
   */
  maxBatchSize: number
  /** The time in milliseconds after which a transaction ends. It begins with the first write. */
  maxBatchTime?: number
  /** Returns the time in milliseconds, for `maxBatchTime` and for what each group has used. */
  clock?: () => number
  /** The maximum number of waiting writes. When more wait, the newest write of the group with the most waiting writes gets a 503. */
  maxWaiting: number
  /** Runs the works in one transaction. Rejects if it was rolled back or its outcome is unknown. */
  commit: (batch: Batch) => Promise<PromiseSettledResult<unknown>[]>
  onIdle?: () => void
}

/**
 * The milliseconds of transactions that a group may use before the next group has its turn. With this time, a write waits for one
 * transaction of each other group. With a longer time, it would wait for several transactions of each.
 */
const share = 5

/** Queues publish `{ size }` here for every committed transaction. */
export const writeBatches = channel('daymark:write-batch')

/**
 * Creates a queue of writes. The writes that arrive while a transaction runs share the next transaction. A write resolves after
 * its commit.
 *
 * Networks and accounts are groups that take turns. When the writes of a group took long, the group waits until the other groups
 * have had as much time. Until then, the writes of other groups do not share a transaction with a write of this group.
 */
export function writeQueue({
  maxBatchSize,
  maxBatchTime = Number.POSITIVE_INFINITY,
  clock = () => performance.now(),
  maxWaiting,
  commit,
  onIdle,
}: Options) {
  const queue = new FairQueue<Waiting>(share)
  let running = false

  /** Waits for two turns of the event loop. By then, most clients of the last transaction have sent their next write. */
  const gather = () => setImmediate(() => setImmediate(drain))

  async function drain() {
    await commitTogether()
    running = queue.size > 0
    if (running) gather()
    else onIdle?.()
  }

  async function commitTogether() {
    const taken: Waiting[] = []
    const works: Work[] = []
    let changes = 0
    let began = 0
    /** When the work that was taken last began, until it is charged. */
    let workBegan: number | undefined

    function next(): Work | undefined {
      const now = clock()
      if (taken.length === 0) began = now
      charge(now)
      if (changes >= maxBatchSize || now - began >= maxBatchTime) return
      const work = take(taken.length > 0 && !queue.isAlone)
      if (work) workBegan = now
      return work
    }

    function charge(now: number) {
      if (workBegan !== undefined) queue.charge(now - workBegan)
      workBegan = undefined
    }

    function take(mustOweNothing = false): Work | undefined {
      const waiting = queue.take(mustOweNothing)
      if (!waiting) return
      taken.push(waiting)
      changes += waiting.changes
      works.push(waiting.work)
      return waiting.work
    }

    try {
      const outcomes = await commit({ works, next })
      for (const [index, { resolve, reject }] of taken.entries()) {
        const outcome = outcomes[index] as PromiseSettledResult<unknown>
        if (outcome.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome.reason)
      }
    } catch (error) {
      // If no transaction could begin, no work was taken, and all that wait fail now. Otherwise each of them would wait for the lock again.
      if (taken.length === 0) while (taken.length < maxBatchSize && take());
      for (const { reject } of taken) reject(error)
      return
    } finally {
      // When a work fails, no other work follows it. Its group is also charged for running the others again.
      charge(clock())
    }
    writeBatches.publish({ size: taken.length })
  }

  return <T>(work: (db: Db) => Promise<T>, changes = 1): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    queue.push(currentGroups(), { work, changes, resolve: resolve as Waiting['resolve'], reject })
    if (queue.size > maxWaiting) queue.dropNewest()?.reject(unavailable('too-many-writes'))
    if (!running) {
      running = true
      gather()
    }
    return promise
  }
}

/** Runs the works one after another, and then the works that `next` takes. Throws the error of the first work that fails. */
export async function runInOrder({ works, next }: Batch, db: Db): Promise<PromiseSettledResult<unknown>[]> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (let work = works[0] ?? next(); work; work = works[outcomes.length] ?? next())
    outcomes.push({ status: 'fulfilled', value: await work(db) })
  return outcomes
}

/** Runs the works one after another, each in a savepoint. Throws an error after which the transaction cannot continue. */
export async function runInSavepoints(
  works: readonly Work[],
  db: Db,
  savepoint: { begin(): unknown; release(): unknown; rollBack(): unknown },
  endsTransaction: (error: unknown) => boolean,
): Promise<PromiseSettledResult<unknown>[]> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (const work of works) {
    await savepoint.begin()
    try {
      outcomes.push({ status: 'fulfilled', value: await work(db) })
    } catch (reason) {
      if (endsTransaction(reason)) throw reason
      await savepoint.rollBack()
      outcomes.push({ status: 'rejected', reason })
    }
    await savepoint.release()
  }
  return outcomes
}
