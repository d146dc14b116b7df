import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type HttpError, storageFull, unavailable } from '../errors.ts'
import { postgresTypes } from './column-types.ts'
import { shareCompiledQueries } from './compiled-query.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { ConnectionLost, openPatientPool, openPool } from './postgres-pool.ts'
import type { Db, Schema } from './schema.ts'

/** The server rolled the transaction back and says that it may succeed if run again: serialization failure, deadlock. */
const conflicts = ['40001', '40P01']

/** Two servers creating the migrator's own tables at once: the loser's transaction fails, and finds them there the next time. */
const createdMeanwhile = ['23505', '25P02', '42P07', '42710']

/** PostgreSQL 14 or later, or an engine that speaks its protocol and SQL. */
export async function openPostgres(url: URL): Promise<Database> {
  await migrateInTurn(url)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url) }) })
  return {
    read: db,
    write: (work) => retrying(conflicts, () => inTransaction(db, work)),
    explain,
    // Its files are the PostgreSQL server's.
    fault: () => undefined,
    inspect: async () => {},
    close: () => db.destroy(),
  }
}

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
async function retrying<T>(codes: string[], run: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await run()
    } catch (error) {
      if (!codes.includes(codeOf(error)) || retries === 5) throw error
      await delay(Math.random() * 10 * 2 ** retries)
    }
  }
}

/** Servers that start together take turns at a row, since not every engine has advisory locks. */
class RowLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, { lockTable, lockRowId }: MigrationLockOptions) {
    await sql`select id from ${sql.table(lockTable)} where id = ${lockRowId} for update`.execute(db)
  }
  override async releaseMigrationLock() {}
}

async function migrateInTurn(url: URL) {
  const dialect = new PostgresDialect({ pool: openPatientPool(url) })
  dialect.createAdapter = () => new RowLockAdapter()
  const db = new Kysely<Schema>({ dialect })
  try {
    await retrying([...conflicts, ...createdMeanwhile], () =>
      db.transaction().execute((transaction) => migrate(transaction, postgresTypes)),
    )
  } finally {
    await db.destroy()
  }
}

const outcomeUnknown = () =>
  unavailable(
    'The database was lost while storing the change. It may or may not be stored: look before sending it again.',
  )

function explain(error: unknown): HttpError | undefined {
  if (error instanceof ConnectionLost) return unavailable('The database cannot be reached at this moment.')
  const code = codeOf(error)
  if (code === '53100') return storageFull()
  // Connection trouble (08, 57P), too many connections (53), a statement that took too long, conflicts to the last try.
  if (/^(08|53|57P)/.test(code) || code === '57014' || conflicts.includes(code)) {
    return unavailable('The database is too busy at this moment. Nothing was changed.')
  }
}

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError && error.code) || ''
