import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isBusy, type SqliteConnection } from './sqlite.ts'
import { inSavepoints, type Work, writeQueue } from './write-queue.ts'

/** Writes in one transaction at most. */
export const largestBatch = 256

/** Writes that may wait for their transaction; beyond that a client is asked to come back. */
const mostWaiting = 4096

/** How long another process may hold the file's write lock, and how often we look, in milliseconds. */
const lockPatience = { total: 4000, step: 20 }

/**
 * The one writer. Making a transaction durable costs a sync of the disk however much is in it, so the writes that
 * arrive close to each other share one.
 */
export function gatherWrites({ file, db }: SqliteConnection, batchSize: number): Database['write'] {
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
      file.exec('commit')
      return outcomes
    } catch (error) {
      if (file.isTransaction) file.exec('rollback')
      throw error
    }
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
