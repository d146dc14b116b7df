import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteTypes } from './column-types.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { connect, type SqliteConnection } from './sqlite-connection.ts'
import { explainSqlite, isDamage } from './sqlite-errors.ts'
import { damagedAtStart } from './sqlite-faults.ts'
import { watchSqliteFile } from './sqlite-file.ts'
import { markDatabase, refuseEmptiedDatabase, refuseLostDatabase } from './sqlite-marker.ts'
import { gatherWrites, largestBatch } from './sqlite-writer.ts'

/** An embedded SQLite file: one connection writes, up to `batchSize` changes in a transaction, another reads and never waits for it. */
export async function openSqlite(url: URL, batchSize = largestBatch): Promise<Database> {
  const path = fileURLToPath(url)
  return open(path, batchSize).catch((error) => {
    throw isDamage(error) ? damagedAtStart(path, error) : error
  })
}

async function open(path: string, batchSize: number): Promise<Database> {
  refuseLostDatabase(path)
  mkdirSync(dirname(path), { recursive: true })
  // Only the account that runs the server reads what is in it; the log beside the file gets the same mode.
  closeSync(openSync(path, 'a', 0o600))
  const watched = watchSqliteFile(path)
  const writer = connect(path, watched.note)
  const reader = connect(path, watched.note)
  await writer.db.transaction().execute(async (db) => {
    refuseEmptiedDatabase(path, hasTables(writer))
    await migrate(db, sqliteTypes)
  })
  markDatabase(path)
  watched.opened()
  return {
    read: reader.db,
    write: gatherWrites(writer, batchSize, watched),
    explain: explainSqlite,
    fault: watched.fault,
    inspect: watched.inspect,
    async close() {
      // SQLite writes the log into the file, whatever is there by now, and removes it; the end of the process does not.
      if (!watched.mayClose()) return
      reader.file.close()
      try {
        writer.file.exec('pragma wal_checkpoint(truncate)')
      } catch {
        // The disk is full, for one. What is in the log is safe there, and the next start reads it.
      }
      writer.file.close()
    },
  }
}

const hasTables = ({ file }: SqliteConnection) =>
  file.prepare('select 1 from sqlite_schema limit 1').get() !== undefined
