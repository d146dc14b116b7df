import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { unavailable } from '../errors.ts'
import { shareCompiledQueries } from './compiled-query.ts'
import type { Database } from './database.ts'
import { ConnectionLost } from './postgres-pool.ts'
import type { Db } from './schema.ts'
import { inSavepoints, type Work, writeQueue } from './write-queue.ts'

/** The server rolled the transaction back and says that it may succeed if run again: serialization failure, deadlock. */
export const conflicts = ['40001', '40P01']

/**
 * Writes of one owner in one transaction at most. It holds the owner's row to its end, for which another server's writes
 * of the same owner wait, each statement of theirs at most two seconds.
 */
const largestBatch = 32

/** Writes of one owner that may wait; beyond that a client is asked to come back. */
const mostWaiting = 1024

/**
 * Writes to the database. Every change of what a user owns also changes the user's row, so an owner's writes would wait
 * for each other in any case. They do so before they take a connection: waiting for the row, they would soon hold all
 * connections, and everybody else's reads would wait too.
 */
export function ownersInTurn(db: Db): Database['write'] {
  const queues = new Map<string, ReturnType<typeof writeQueue>>()

  function queueOf(owner: string) {
    const known = queues.get(owner)
    if (known) return known
    const queue = writeQueue({
      largestBatch,
      mostWaiting,
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
 * A savepoint takes two more answers of the server for each write, so the works first run without: only where one fails
 * does the transaction begin again, with savepoints.
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
    if (works.length === 1 || !workFailed || spoils(error)) throw error
  }
  return await inTransaction(db, (transaction) =>
    inSavepoints(works, transaction, savepointIn(transaction), spoils),
  )
}

const savepointIn = (db: Db) => ({
  begin: () => sql`savepoint work`.execute(db),
  release: () => sql`release savepoint work`.execute(db),
  rollBack: () => sql`rollback to savepoint work`.execute(db),
})

/** Without its connection a transaction is over, and after a conflict it is run again as a whole. */
const spoils = (error: unknown) => error instanceof ConnectionLost || conflicts.includes(codeOf(error))

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

/** Runs whole transactions again, at most five times, and only after the server said that nothing of them stayed. */
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
    'The database was lost while storing the change. It may or may not be stored: look before sending it again.',
  )

export const codeOf = (error: unknown) => (error instanceof pg.DatabaseError && error.code) || ''
