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
  /** The maximum number of writes in one transaction. */
  maxBatchSize: number
  /** The maximum number of waiting writes. Further writes get a 503. */
  maxWaiting: number
  /**
   * Runs the works in one transaction and resolves to their outcomes when it is durable. Rejects if the transaction was
   * rolled back or its outcome is unknown.
   */
  commit: (works: Work[]) => Promise<PromiseSettledResult<unknown>[]>
  /** Called when the queue is empty and nothing runs. */
  onIdle?: () => void
}

/** Queues publish `{ size }` here for every committed transaction. */
export const writeBatches = channel('daymark:write-batch')

/**
 * Creates a queue of writes that share transactions: the writes that arrive while one transaction runs are in the next
 * one. A write resolves after its commit.
 */
export function writeQueue({ maxBatchSize, maxWaiting, commit, onIdle }: Options) {
  const queue: Waiting[] = []
  let running = false

  /** Waits for two turns of the event loop: by then most clients of the last transaction have sent their next write. */
  const gather = () => setImmediate(() => setImmediate(drain))

  async function drain() {
    await commitTogether(queue.splice(0, maxBatchSize))
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
    if (queue.length >= maxWaiting) {
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

/** Runs the works one after another. Throws what the first of them that fails throws. */
export async function inOrder(works: Work[], db: Db): Promise<PromiseSettledResult<unknown>[]> {
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (const work of works) outcomes.push({ status: 'fulfilled', value: await work(db) })
  return outcomes
}

type Savepoint = { begin(): unknown; release(): unknown; rollBack(): unknown }

/**
 * Runs the works one after another, each in a savepoint, so that a failure does not affect the others. `endsTransaction`
 * returns true for errors after which the transaction cannot continue.
 */
export async function inSavepoints(
  works: Work[],
  db: Db,
  savepoint: Savepoint,
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
