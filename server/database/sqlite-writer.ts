import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../errors.ts'
import type { Database, Fault } from './database.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isBusy } from './sqlite-errors.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { inSavepoints, type Work, writeQueue } from './write-queue.ts'

/** The maximum number of writes in one transaction. */
export const maxBatchSize = 256

/** The maximum number of waiting writes. Further writes get a 503. */
const maxWaiting = 4096

/** How long to wait for the file's write lock, and the time between retries, in milliseconds. */
const lockTimeout = { total: 4000, step: 20 }

/** The Retry-After in seconds while the operator has to act. */
const faultSeconds = 60

/**
 * Returns the only writer. A commit costs one disk sync regardless of its size, so writes that arrive close together
 * share a transaction.
 */
export function batchWrites(
  { file, db }: SqliteConnection,
  batchSize: number,
  watched: SqliteFile,
): Database['write'] {
  file.exec('pragma busy_timeout = 0')
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

  async function commit(works: Work[]) {
    try {
      await begin()
      const outcomes = await inSavepoints(works, db, savepoint, endsTransaction)
      rejectIfFaulty(watched.fault(), 'Nothing was changed.')
      file.exec('commit')
      watched.committed()
      rejectIfFaulty(watched.fault(), 'The change may or may not be stored: check before you send it again.')
      return outcomes
    } catch (error) {
      watched.note(error)
      if (file.isTransaction) file.exec('rollback')
      throw error
    }
  }

  /** SQLite also writes to an open file that was removed or replaced, and those changes would be lost. */
  function rejectIfFaulty(fault: Fault | undefined, outcome: string) {
    if (fault) throw unavailable(`${fault.detail} ${outcome}`, faultSeconds)
  }

  /** Waits for the lock between turns of the event loop: waiting inside SQLite would block all reads. */
  async function begin() {
    for (let waited = 0; ; waited += lockTimeout.step) {
      try {
        return file.exec('begin immediate')
      } catch (error) {
        if (!isBusy(error) || waited >= lockTimeout.total) throw error
        await delay(lockTimeout.step)
      }
    }
  }

  return writeQueue({ maxBatchSize: batchSize, maxWaiting, commit })
}
