import { Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { type HttpError, storageFull, unavailable } from '../errors.ts'
import { postgresTypes } from './column-types.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { ConnectionLost, openPatientPool, openPool } from './postgres-pool.ts'
import { codeOf, conflicts, ownersInTurn, retrying } from './postgres-writer.ts'
import type { Schema } from './schema.ts'

/** Two servers creating the migrator's own tables at once: the loser's transaction fails, and finds them there the next time. */
const createdMeanwhile = ['23505', '25P02', '42P07', '42710']

/** PostgreSQL 14 or later, or an engine that speaks its protocol and SQL. */
export async function openPostgres(url: URL): Promise<Database> {
  await migrateInTurn(url)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url) }) })
  return {
    read: db,
    write: ownersInTurn(db),
    explain,
    // Its files are the PostgreSQL server's.
    fault: () => undefined,
    inspect: async () => {},
    close: () => db.destroy(),
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

function explain(error: unknown): HttpError | undefined {
  if (error instanceof ConnectionLost) return unavailable('The database cannot be reached at this moment.')
  const code = codeOf(error)
  if (code === '53100') return storageFull()
  // Connection trouble (08, 57P), too many connections (53), a statement that took too long, conflicts to the last try.
  if (/^(08|53|57P)/.test(code) || code === '57014' || conflicts.includes(code)) {
    return unavailable('The database is too busy at this moment. Nothing was changed.')
  }
}
