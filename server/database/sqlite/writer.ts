import { HttpError } from '../../errors.ts'
import { runAsTransaction, transactionClock } from '../../fairness/turns.ts'
import type { Database, Fault } from '../database.ts'
import { type Batch, runInOrder, runInSavepoints, writeQueue } from '../write-queue.ts'
import type { SqliteConnection } from './connection.ts'
import type { SqliteFile } from './file.ts'
import { waitForLock } from './lock.ts'

export const maxBatchSize = 256

/** The time in milliseconds after which a transaction ends, without its waits for turns. */
const maxBatchTime = 25

const maxWaiting = 4096

/** How long to wait for the file's write lock, in milliseconds. */
const lockTimeout = 4000

/** The Retry-After in seconds while the operator has to act. */
const faultSeconds = 60

/**
 * Returns the only writer. A commit costs one disk sync regardless of its size, so writes that arrive close together
 * share a transaction. `endReads` ends the read transaction of this process: later queries read what is committed, and the commit
 * can copy all of the WAL into the database, so that SQLite begins the WAL again.
 */
export function batchWrites(
  { file, db }: SqliteConnection,
  batchSize: number,
  watched: SqliteFile,
  endReads: () => void,
): Database['write'] {
  const statements = {
    begin: file.prepare('savepoint work'),
    release: file.prepare('release work'),
    rollBack: file.prepare('rollback to work'),
  }
  const savepoint = {
    begin: () => statements.begin.run(),
    release: () => statements.release.run(),
    rollBack: () => statements.rollBack.run(),
  }
  // Some errors, such as a full disk, roll back the whole transaction.
  const endsTransaction = () => !file.isTransaction

  const begin = () => waitForLock(() => file.exec('begin immediate'), lockTimeout)

  /**
   * Runs the works without savepoints: with them, SQLite copies each page before a work changes it. Rolls back and
   * returns undefined if a work fails.
   */
  async function inOneStep(batch: Batch) {
    try {
      return await runInOrder(batch, db)
    } catch (error) {
      if (endsTransaction()) throw error
      file.exec('rollback')
    }
  }

  async function commit(batch: Batch) {
    try {
      await begin()
      let outcomes = await inOneStep(batch)
      if (!outcomes) {
        await begin()
        outcomes = await runInSavepoints(batch.works, db, savepoint, endsTransaction)
      }
      rejectIfFaulty(watched.fault(), 'unchanged')
      endReads()
      file.exec('commit')
      watched.committed()
      rejectIfFaulty(watched.fault(), 'unknown')
      return outcomes
    } catch (error) {
      watched.recordError(error)
      if (file.isTransaction) file.exec('rollback')
      throw error
    }
  }

  /** SQLite also writes to an open file that was removed or replaced, and those changes would be lost. */
  function rejectIfFaulty(fault: Fault | undefined, outcome: 'unchanged' | 'unknown') {
    if (fault) throw new HttpError(fault.code, { seconds: faultSeconds, outcome })
  }

  const queue = writeQueue({
    maxBatchSize: batchSize,
    maxBatchTime,
    clock: transactionClock,
    maxWaiting,
    commit: (batch) => runAsTransaction(() => commit(batch)),
  })
  return (work, _owner, changes) => queue(work, changes)
}
