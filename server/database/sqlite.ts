import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type Compilable, CompiledQuery, Kysely, type QueryResult, SqliteDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { sqliteTypes } from './column-types.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
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
  await inTransaction(writer.db, async (db) => {
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
      // Kysely would leave a file open that it has not used yet.
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

type OnError = (error: unknown) => void

export type SqliteConnection = { file: DatabaseSync; db: Kysely<Schema> }

const hasTables = ({ file }: SqliteConnection) =>
  file.prepare('select 1 from sqlite_schema limit 1').get() !== undefined

function connect(path: string, onError: OnError): SqliteConnection {
  const file = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
  file.exec('pragma journal_mode = wal')
  file.exec('pragma synchronous = full')
  // Four times SQLite's own number of pages: a checkpoint holds up everybody, so it comes less often.
  file.exec('pragma wal_autocheckpoint = 4000')
  // A burst may grow the log beyond this; the next checkpoint cuts it back.
  file.exec(`pragma journal_size_limit = ${64 * 1024 * 1024}`)
  assertPragma(file, 'journal_mode', 'wal')
  assertPragma(file, 'synchronous', 2)
  return { file, db: new SqliteKysely(adapt(file, onError)) }
}

/** An acknowledged write is only on disk with these, so the server does not start without them. */
function assertPragma(file: DatabaseSync, name: string, expected: string | number) {
  const actual = Object.values(file.prepare(`pragma ${name}`).get() ?? {})[0]
  if (actual !== expected) throw new Error(`SQLite answers ${name} = ${actual} where ${expected} is needed`)
}

/** `node:sqlite` as the driver Kysely expects; statements are prepared once and kept. */
function adapt(file: DatabaseSync, onError: OnError) {
  const statements = new LRUCache<string, ReturnType<typeof prepare>>({ max: 200 })
  function prepare(sql: string) {
    const statement = file.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => noting(() => statement.all(...(parameters as string[]))),
      run: (parameters: readonly unknown[]) => noting(() => statement.run(...(parameters as string[]))),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as string[])),
    }
  }
  function noting<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      onError(error)
      throw error
    }
  }
  return {
    close: () => file.close(),
    prepare(sql: string) {
      const known = statements.get(sql)
      if (known) return known
      const statement = noting(() => prepare(sql))
      statements.set(sql, statement)
      return statement
    },
  }
}

/**
 * Runs a compiled query (`executeQuery`; what is built and executed in one goes Kysely's way) there and then. Kysely
 * would queue it for the one connection and await a dozen promises, which for a short query takes longer than SQLite
 * does. There is nothing to wait for: `node:sqlite` answers before anything else can use the connection. Transactions
 * are therefore begun here and in sqlite-writer.ts, never with Kysely's own `transaction()`.
 */
class SqliteKysely extends Kysely<Schema> {
  readonly #database: ReturnType<typeof adapt>

  constructor(database: ReturnType<typeof adapt>) {
    super({ dialect: new SqliteDialect({ database }) })
    this.#database = database
  }

  override async executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    const { sql, parameters } = 'compile' in query ? query.compile() : query
    const statement = this.#database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }
}

/** Holds SQLite's one write lock from the first statement on, so that whoever else starts now waits. */
async function inTransaction(db: Kysely<Schema>, work: (db: Kysely<Schema>) => Promise<void>) {
  await db.executeQuery(CompiledQuery.raw('begin immediate'))
  try {
    await work(db)
    await db.executeQuery(CompiledQuery.raw('commit'))
  } catch (error) {
    await db.executeQuery(CompiledQuery.raw('rollback'))
    throw error
  }
}
