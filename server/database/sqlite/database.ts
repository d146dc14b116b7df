import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../database.ts'
import { probeSchema, requireMigrations } from '../migrate.ts'
import { connect, connectReader } from './connection.ts'
import { createFolder } from './create-folder.ts'
import { explainSqlite, isDamage } from './errors.ts'
import { damagedAtStart } from './faults.ts'
import { watchSqliteFile } from './file.ts'
import { longestMigration, waitForLock } from './lock.ts'
import { markDatabase, realPath, rejectLostDatabase } from './marker.ts'
import { migrateFile, requireMigratedFile } from './migrated-file.ts'
import { batchWrites, maxBatchSize } from './writer.ts'

type Options = {
  migrate?: boolean
  batchSize?: number
  checkpointPages?: number
}

/** Opens an SQLite file. One connection writes; the other reads and never waits for it. */
export async function openSqlite(url: URL, options: Options = {}): Promise<Database> {
  const path = fileURLToPath(url)
  return open(path, options).catch((error) => {
    throw isDamage(error) ? damagedAtStart(path, error) : error
  })
}

/** With a usual umask, a file that was copied there can be read by everyone on the machine. An operator may share it with a group. */
function closeToOthers(path: string) {
  for (const file of [path, `${realPath(path)}-wal`, `${realPath(path)}-shm`]) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats || (stats.mode & 0o007) === 0) continue
    try {
      chmodSync(file, 0o600)
    } catch (error) {
      process.emitWarning(`${file} can be read by everyone on this machine: ${(error as Error).message}`)
    }
  }
}

async function open(
  path: string,
  { migrate: mayMigrate = true, batchSize = maxBatchSize, checkpointPages }: Options,
): Promise<Database> {
  rejectLostDatabase(path)
  // Opening the file would create it.
  if (!mayMigrate && !statSync(path, { throwIfNoEntry: false })?.size) requireMigrations([], 'sqlite')
  createFolder(dirname(path))
  // Only the account that runs the server may read the file. SQLite gives the WAL file the same mode.
  closeSync(openSync(path, 'a', 0o600))
  closeToOthers(path)
  const watched = watchSqliteFile(path)
  // Another server may migrate the file at this moment.
  const writer = await waitForLock(() => connect(path, watched.recordError, 0), longestMigration)
  if (mayMigrate) await migrateFile(path, writer)
  else await requireMigratedFile(path, writer)
  const reader = connectReader(path, watched.recordError)
  markDatabase(path)
  watched.opened(reader.file)
  if (checkpointPages) writer.file.exec(`pragma wal_autocheckpoint = ${checkpointPages}`)
  return {
    read: reader.db,
    write: batchWrites(writer, batchSize, watched, reader.refresh),
    async snapshot(work) {
      const { file, db } = connect(path, watched.recordError)
      try {
        file.exec('begin')
        return await work(db)
      } finally {
        file.close()
      }
    },
    isOfOnePart: () => false,
    explain: explainSqlite,
    // Reads a table: SQLite answers `select 1` without the file.
    probe: () => probeSchema(reader.db, 'sqlite'),
    fault: watched.fault,
    inspect: watched.inspect,
    revision: watched.revision,
    async close() {
      // Closing writes the WAL into the file that is at the path now, and the last connection removes the WAL. Exiting the
      // process does neither.
      if (!watched.mayClose()) return
      reader.file.close()
      try {
        // Does not truncate the WAL, which another server may have open.
        writer.file.exec('pragma wal_checkpoint(passive)')
      } catch {
        // For example, the disk is full. The changes are safe in the WAL, which the next start reads.
      }
      writer.file.close()
    },
  }
}
