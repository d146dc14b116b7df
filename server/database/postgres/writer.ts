import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { measured } from '../../measured.ts'
import { shareCompiledQueries } from '../compiled-query.ts'
import type { Database } from '../database.ts'
import type { Db } from '../schema.ts'
import { type Batch, runInOrder, runInSavepoints, writeQueue } from '../write-queue.ts'
import { codeOf, conflicts, leavesOutcomeUnknown, outcomeUnknown } from './errors.ts'
import { ConnectionLost } from './pool.ts'

type RetryLimits = {
  /** The time in milliseconds after which a failure is final. */
  time: number
  /** The longest delay between two attempts, in milliseconds. */
  delay: number
}

/** With the limits of a statement and of a connection, each response takes a few seconds at most. */
const writeRetries: RetryLimits = { time: 2000, delay: 200 }

/**
 * The maximum number of changes in one transaction. It locks the owner's row until its end, and writes of the same owner
 * on another server wait for the lock, each statement until its limit.
 */
const maxBatchSize = 32

const maxWaiting = 1024

/**
 * Returns the writer, which has a queue for each owner. The changes of a user wait for each other's locks, because all of them
 * update the user's row. So do the sign-ups of a network, which update the row that counts them. In the queue they wait before
 * they take a connection. Otherwise they could occupy all connections and block the reads of other users.
 */
export function queueWritesByOwner(db: Db): Database['write'] {
  const queues = new Map<string, ReturnType<typeof writeQueue>>()

  function queueOf(owner: string) {
    const known = queues.get(owner)
    if (known) return known
    const queue = writeQueue({
      maxBatchSize,
      maxWaiting,
      commit: (batch) => {
        // All at once, so that a lost connection fails all of them.
        while (batch.next());
        return retrying(conflicts, () => commit(db, batch))
      },
      onIdle: () => queues.delete(owner),
    })
    queues.set(owner, queue)
    return queue
  }

  return (work, owner, changes) =>
    owner === undefined ? retrying(conflicts, () => inTransaction(db, work)) : queueOf(owner)(work, changes)
}

/**
 * A savepoint costs two more round trips per write, so the works first run without savepoints. If one fails, the
 * transaction is run again with savepoints.
 */
async function commit(db: Db, batch: Batch): Promise<PromiseSettledResult<unknown>[]> {
  let workFailed = false
  try {
    return await inTransaction(db, async (transaction) => {
      workFailed = true
      const outcomes = await runInOrder(batch, transaction)
      workFailed = false
      return outcomes
    })
  } catch (error) {
    if (batch.works.length === 1 || !workFailed || endsTransaction(error)) throw error
  }
  return await inTransaction(db, (transaction) =>
    runInSavepoints(batch.works, transaction, savepointIn(transaction), endsTransaction),
  )
}

const savepointIn = (db: Db) => ({
  begin: () => sql`savepoint work`.execute(db),
  release: () => sql`release savepoint work`.execute(db),
  rollBack: () => sql`rollback to savepoint work`.execute(db),
})

/** Without a connection the transaction is over, and after a conflict it is retried as a whole. */
const endsTransaction = (error: unknown) =>
  error instanceof ConnectionLost || conflicts.includes(codeOf(error))

async function inTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  let committing = false
  try {
    const transactions = db.transaction().setIsolationLevel('read committed')
    return await transactions.execute(async (transaction) => {
      shareCompiledQueries(db, transaction)
      const result = await work(transaction)
      committing = true
      return result
    })
  } catch (error) {
    if (committing && leavesOutcomeUnknown(error)) throw outcomeUnknown()
    throw error
  }
}

/**
 * Retries a transaction for a limited time, only after errors with which the server has rolled it back. The delays grow
 * and are random, so that transactions that conflicted do not meet again.
 */
export async function retrying<T>(codes: string[], run: () => Promise<T>, limits = writeRetries): Promise<T> {
  const end = performance.now() + limits.time
  for (let attempt = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!codes.includes(codeOf(error)) || performance.now() >= end) throw error
      measured.retry.publish(undefined)
      await delay(Math.random() * limits.delay * Math.min(2 ** attempt / 20, 1))
    }
  }
}
