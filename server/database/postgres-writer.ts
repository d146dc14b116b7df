import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { unavailable } from '../errors.ts'
import { shareCompiledQueries } from './compiled-query.ts'
import type { Database } from './database.ts'
import { ConnectionLost } from './postgres-pool.ts'
import type { Db } from './schema.ts'
import { inSavepoints, type Work, writeQueue } from './write-queue.ts'

/** Codes of errors after which a transaction may succeed if it is retried: serialization failure, deadlock. */
export const conflicts = ['40001', '40P01']

/**
 * The maximum number of writes in one transaction. It locks the owner's row until its end, and writes of the same owner
 * on another server wait for the lock, each statement for at most two seconds.
 */
const maxBatchSize = 32

/** The maximum number of waiting writes of one owner. Further writes get a 503. */
const maxWaiting = 1024

/**
 * Returns the writer, which has a queue for each owner. Every write of an owner updates the owner's row, so these writes
 * would wait for each other's locks anyway. They wait before they take a connection, because otherwise they could occupy
 * all connections and block the reads of other users.
 */
export function queueWritesByOwner(db: Db): Database['write'] {
  const queues = new Map<string, ReturnType<typeof writeQueue>>()

  function queueOf(owner: string) {
    const known = queues.get(owner)
    if (known) return known
    const queue = writeQueue({
      maxBatchSize,
      maxWaiting,
      commit: (works) => retrying(conflicts, () => commit(db, works)),
      onIdle: () => queues.delete(owner),
    })
    queues.set(owner, queue)
    return queue
  }

  return (work, owner) =>
    owner === undefined ? retrying(conflicts, () => inTransaction(db, work)) : queueOf(owner)(work)
}

/**
 * A savepoint costs two more round trips per write, so the works first run without savepoints. If one fails, the
 * transaction is run again with savepoints.
 */
async function commit(db: Db, works: Work[]): Promise<PromiseSettledResult<unknown>[]> {
  let workFailed = false
  try {
    return await inTransaction(db, async (transaction) => {
      const outcomes: PromiseSettledResult<unknown>[] = []
      for (const work of works) {
        workFailed = true
        outcomes.push({ status: 'fulfilled', value: await work(transaction) })
        workFailed = false
      }
      return outcomes
    })
  } catch (error) {
    if (works.length === 1 || !workFailed || endsTransaction(error)) throw error
  }
  return await inTransaction(db, (transaction) =>
    inSavepoints(works, transaction, savepointIn(transaction), endsTransaction),
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
    return await db.transaction().execute(async (transaction) => {
      shareCompiledQueries(db, transaction)
      const result = await work(transaction)
      committing = true
      return result
    })
  } catch (error) {
    if (committing && error instanceof ConnectionLost) throw outcomeUnknown()
    throw error
  }
}

/** Retries a transaction at most five times, only after errors with which the server has rolled it back. */
export async function retrying<T>(codes: string[], run: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await run()
    } catch (error) {
      if (!codes.includes(codeOf(error)) || retries === 5) throw error
      await delay(Math.random() * 10 * 2 ** retries)
    }
  }
}

const outcomeUnknown = () =>
  unavailable(
    'The database connection was lost during the change. It may or may not be stored: check before you send it again.',
  )

export const codeOf = (error: unknown) => (error instanceof pg.DatabaseError && error.code) || ''
