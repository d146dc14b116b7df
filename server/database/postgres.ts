import { Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { type HttpError, storageFull, unavailable } from '../errors.ts'
import { postgresTypes } from './column-types.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { ConnectionLost, openPool, openPoolWithoutTimeouts } from './postgres-pool.ts'
import { codeOf, conflicts, queueWritesByOwner, retrying } from './postgres-writer.ts'
import type { Schema } from './schema.ts'

/** Codes of errors when two servers create the migrator's tables concurrently; a retry finds the tables. */
const createdMeanwhile = ['23505', '25P02', '42P07', '42710']

/** Opens PostgreSQL 14 or later, or an engine that supports its protocol and SQL. */
export async function openPostgres(url: URL): Promise<Database> {
  await migrateWithLock(url)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url) }) })
  return {
    read: db,
    write: queueWritesByOwner(db),
    explain,
    // The PostgreSQL server is responsible for its files.
    fault: () => undefined,
    inspect: async () => {},
    close: () => db.destroy(),
  }
}

/** Locks a row for migrations, because not every engine has advisory locks. */
class RowLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, { lockTable, lockRowId }: MigrationLockOptions) {
    await sql`select id from ${sql.table(lockTable)} where id = ${lockRowId} for update`.execute(db)
  }
  override async releaseMigrationLock() {}
}

async function migrateWithLock(url: URL) {
  const dialect = new PostgresDialect({ pool: openPoolWithoutTimeouts(url) })
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

function explain(error: unknown): HttpError | undefined {
  if (error instanceof ConnectionLost) return unavailable('The database cannot be reached at this moment.')
  const code = codeOf(error)
  if (code === '53100') return storageFull()
  // Connection errors (08, 57P), too many connections (53), a statement timeout, and conflicts in all retries.
  if (/^(08|53|57P)/.test(code) || code === '57014' || conflicts.includes(code)) {
    return unavailable('The database is too busy at this moment. Nothing was changed.')
  }
}
