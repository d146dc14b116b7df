import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../errors.ts'
import type { Database, Fault } from './database.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isBusy } from './sqlite-errors.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { inSavepoints, type Work, writeQueue } from './write-queue.ts'

/** Writes in one transaction at most. */
export const largestBatch = 256

/** Writes that may wait for their transaction; beyond that a client is asked to come back. */
const mostWaiting = 4096

/** How long another process may hold the file's write lock, and how often we look, in milliseconds. */
const lockPatience = { total: 4000, step: 20 }

/** After how many seconds a client may try again while somebody has to act. */
const faultSeconds = 60

/**
 * The one writer. Making a transaction durable costs a sync of the disk however much is in it, so the writes that
 * arrive close to each other share one.
 */
export function gatherWrites(
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
  // Some failures, a full disk among them, take the whole transaction with them: then nobody's work is kept.
  const spoils = () => !file.isTransaction

  async function commit(works: Work[]) {
    try {
      await begin()
      const outcomes = await inSavepoints(works, db, savepoint, spoils)
      refuse(watched.fault(), 'Nothing was changed.')
      file.exec('commit')
      watched.committed()
      refuse(watched.fault(), 'The change may or may not be stored: look before sending it again.')
      return outcomes
    } catch (error) {
      watched.note(error)
      if (file.isTransaction) file.exec('rollback')
      throw error
    }
  }

  /** SQLite writes to the file that it opened, also when that has lost its name: then nobody would find it again. */
  function refuse(fault: Fault | undefined, outcome: string) {
    if (fault) throw unavailable(`${fault.detail} ${outcome}`, faultSeconds)
  }

  /** Waits for the lock between turns of the event loop: waiting inside SQLite would hold up every reader. */
  async function begin() {
    for (let waited = 0; ; waited += lockPatience.step) {
      try {
        return file.exec('begin immediate')
      } catch (error) {
        if (!isBusy(error) || waited >= lockPatience.total) throw error
        await delay(lockPatience.step)
      }
    }
  }

  return writeQueue({ largestBatch: batchSize, mostWaiting, commit })
}
