import { channel } from 'node:diagnostics_channel'
import { unavailable } from '../errors.ts'
import type { Db } from './schema.ts'

export type Work = (db: Db) => Promise<unknown>

type Waiting = {
  work: Work
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

type Options = {
  /** Writes in one transaction at most. */
  largestBatch: number
  /** Writes that may wait for their transaction; beyond that a client is asked to come back. */
  mostWaiting: number
  /**
   * Runs the works in one transaction and tells how each ended once it is durable; rejects where the transaction failed
   * and nothing of any of them stays, or where that is not known.
   */
  commit: (works: Work[]) => Promise<PromiseSettledResult<unknown>[]>
  /** Called when nothing waits or runs any more. */
  onIdle?: () => void
}

/** Told the size of every transaction that a queue made durable, `{ size }`. */
export const writeBatches = channel('daymark:write-batch')

/**
 * Writes that wait for each other and share transactions: those that arrive while one runs are the next. No write is
 * answered before its commit.
 */
export function writeQueue({ largestBatch, mostWaiting, commit, onIdle }: Options) {
  const queue: Waiting[] = []
  let running = false

  /** One turn of the event loop more than needed: by then most of those who were answered last have sent their next. */
  const gather = () => setImmediate(() => setImmediate(drain))

  async function drain() {
    await commitTogether(queue.splice(0, largestBatch))
    running = queue.length > 0
    if (running) gather()
    else onIdle?.()
  }

  async function commitTogether(batch: Waiting[]) {
    try {
      const outcomes = await commit(batch.map(({ work }) => work))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] as PromiseSettledResult<unknown>
        if (outcome.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome.reason)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    writeBatches.publish({ size: batch.length })
  }

  return <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    if (queue.length >= mostWaiting) {
      return Promise.reject(unavailable('Too many changes are waiting. Try again in a moment.'))
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    queue.push({ work, resolve: resolve as Waiting['resolve'], reject })
    if (!running) {
      running = true
      gather()
    }
    return promise
  }
}

type Savepoint = { begin(): unknown; release(): unknown; rollBack(): unknown }

/**
 * Runs the works one after another, each in a savepoint, so that one failing spoils no other. `spoils` tells the errors
 * after which the transaction cannot go on.
 */
export async function inSavepoints(
  works: Work[],
  db: Db,
  savepoint: Savepoint,
  spoils: (error: unknown) => boolean,
): Promise<PromiseSettledResult<unknown>[]> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (const work of works) {
    await savepoint.begin()
    try {
      outcomes.push({ status: 'fulfilled', value: await work(db) })
    } catch (reason) {
      if (spoils(reason)) throw reason
      await savepoint.rollBack()
      outcomes.push({ status: 'rejected', reason })
    }
    await savepoint.release()
  }
  return outcomes
}
