import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { storageFull, unavailable } from '../errors.ts'
import { sqliteTypes } from './column-types.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { gatherWrites, largestBatch } from './sqlite-writer.ts'

const resultCodes = { busy: 5, full: 13 }

/** An embedded SQLite file: one connection writes, up to `batchSize` changes in a transaction, another reads and never waits for it. */
export async function openSqlite(url: URL, batchSize = largestBatch): Promise<Database> {
  const path = fileURLToPath(url)
  mkdirSync(dirname(path), { recursive: true })
  // Only the account that runs the server reads what is in it; the log beside the file gets the same mode.
  closeSync(openSync(path, 'a', 0o600))
  const writer = connect(path)
  const reader = connect(path)
  await writer.db.transaction().execute((db) => migrate(db, sqliteTypes))
  return {
    read: reader.db,
    write: gatherWrites(writer, batchSize),
    explain,
    async close() {
      reader.file.close()
      writer.file.exec('pragma wal_checkpoint(truncate)')
      writer.file.close()
    },
  }
}

export type SqliteConnection = { file: DatabaseSync; db: Kysely<Schema> }

function connect(path: string): SqliteConnection {
  const file = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
  file.exec('pragma journal_mode = wal')
  file.exec('pragma synchronous = full')
  // Four times SQLite's own number of pages: a checkpoint holds up everybody, so it comes less often.
  file.exec('pragma wal_autocheckpoint = 4000')
  // A burst may grow the log beyond this; the next checkpoint cuts it back.
  file.exec(`pragma journal_size_limit = ${64 * 1024 * 1024}`)
  assertPragma(file, 'journal_mode', 'wal')
  assertPragma(file, 'synchronous', 2)
  return { file, db: new Kysely<Schema>({ dialect: sqliteDialect(file) }) }
}

/** An acknowledged write is only on disk with these, so the server does not start without them. */
function assertPragma(file: DatabaseSync, name: string, expected: string | number) {
  const actual = Object.values(file.prepare(`pragma ${name}`).get() ?? {})[0]
  if (actual !== expected) throw new Error(`SQLite answers ${name} = ${actual} where ${expected} is needed`)
}

export const isBusy = (error: unknown) => resultCode(error) === resultCodes.busy

function explain(error: unknown) {
  if (isBusy(error)) return unavailable('The database is busy. Try again in a moment.')
  if (resultCode(error) === resultCodes.full) return storageFull()
}

const resultCode = (error: unknown) => (error as { errcode?: number }).errcode
