import { channel } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../errors.ts'
import type { Database, Fault } from './database.ts'
import type { Db } from './schema.ts'
import type { SqliteConnection } from './sqlite.ts'
import { isBusy } from './sqlite-errors.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** Writes in one transaction at most. */
export const largestBatch = 256

/** Writes that may wait for their transaction; beyond that a client is asked to come back. */
const mostWaiting = 4096

/** How long another process may hold the file's write lock, and how often we look, in milliseconds. */
const lockPatience = { total: 4000, step: 20 }

/** After how many seconds a client may try again while somebody has to act. */
const faultSeconds = 60

/** Told the size of every transaction that reached the disk, `{ size }`. */
export const writeBatches = channel('daymark:write-batch')

type Waiting = {
  work: (db: Db) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * The one writer. Making a transaction durable costs a sync of the disk however much is in it, so the writes that
 * arrive close to each other share one; each has a savepoint, so that one failing spoils no other.
 * Nobody is answered before the commit.
 */
export function gatherWrites(
  { file, db }: SqliteConnection,
  batchSize: number,
  watched: SqliteFile,
): Database['write'] {
  file.exec('pragma busy_timeout = 0')
  const savepoint = file.prepare('savepoint work')
  const release = file.prepare('release work')
  const rollback = file.prepare('rollback to work')
  const queue: Waiting[] = []
  let running = false

  /** One turn of the event loop more than needed: by then most of those who were answered last have sent their next. */
  const gather = () => setImmediate(() => setImmediate(drain))

  async function drain() {
    await commit(queue.splice(0, batchSize))
    running = queue.length > 0
    if (running) gather()
  }

  async function commit(batch: Waiting[]) {
    const answers: (() => void)[] = []
    try {
      await begin()
      for (const waiting of batch) answers.push(await inSavepoint(waiting))
      refuse(watched.fault(), 'Nothing was changed.')
      file.exec('commit')
      watched.committed()
      refuse(watched.fault(), 'The change may or may not be stored: look before sending it again.')
    } catch (error) {
      watched.note(error)
      if (file.isTransaction) file.exec('rollback')
      for (const { reject } of batch) reject(error)
      return
    }
    for (const answer of answers) answer()
    writeBatches.publish({ size: batch.length })
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

  async function inSavepoint({ work, resolve, reject }: Waiting): Promise<() => void> {
    savepoint.run()
    try {
      const result = await work(db)
      release.run()
      return () => resolve(result)
    } catch (error) {
      // Some failures, a full disk among them, take the whole transaction with them: then nobody's work is kept.
      if (!file.isTransaction) throw error
      rollback.run()
      release.run()
      return () => reject(error)
    }
  }

  return <T>(work: (db: Db) => Promise<T>) => {
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
