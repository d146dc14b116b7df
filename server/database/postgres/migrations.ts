import { setTimeout as delay } from 'node:timers/promises'
import {
  Kysely,
  type MigrationLockOptions,
  PostgresAdapter,
  PostgresDialect,
  type QueryExecutorProvider,
  sql,
} from 'kysely'
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, MIGRATION_LOCK_ID } from 'kysely/migration'
import type { Config } from '../../config.ts'
import { ConfigError } from '../../environment.ts'
import { postgresTypes } from '../column-types.ts'
import { buildConcurrently, unusableIndexes } from '../indexes.ts'
import { concurrentIndexes, migrate, migrateSomeRows, requireSchema } from '../migrate.ts'
import type { Db, Schema } from '../schema.ts'
import { distribute } from './citus.ts'
import { codeOf, conflicts } from './errors.ts'
import { openPoolWithoutTimeouts } from './pool.ts'
import { urlWithSettings } from './session-settings.ts'
import { retrying } from './writer.ts'

/**
 * Codes of errors when another server changes the schema concurrently. They occur when both servers create the migrator's
 * tables, and when the schema changes while the migrator reads the catalog, which Kysely does in more than one snapshot. A
 * retry finds the new schema.
 */
const changedMeanwhile = ['23505', '25P02', '42P07', '42710', '42703', '42P01']

/** The code of a statement that did not get a lock on a table in time. */
const lockNotAvailable = '55P03'

/**
 * In milliseconds. A statement that waits for a table blocks all later ones on it, so it waits briefly, and much less
 * than the time between two attempts.
 */
const lockTimeout = 500
const longestWait = { time: 60_000, delay: 5000 }

type Options = Pick<Config['database'], 'contract' | 'connectTimeout'>

/** Migrates the schema and builds missing indexes. Servers that start together take turns. */
export async function migratePostgres(url: URL, { contract, connectTimeout }: Options): Promise<void> {
  const unlimited = await urlWithSettings(url, { statement_timeout: '0' }, connectTimeout)
  const dialect = new PostgresDialect({ pool: openPoolWithoutTimeouts(unlimited ?? url) })
  dialect.createAdapter = () => new RowLockAdapter()
  const db = new Kysely<Schema>({ dialect })
  try {
    await retried(() => inTransaction(db, (transaction) => start(transaction, contract)))
    await retried(() => buildIndexes(db))
    while (await retried(() => inTransaction(db, migrateRows)));
    await requireSchema(db, 'postgres')
  } catch (error) {
    throw explain(error)
  } finally {
    await db.destroy()
  }
}

/** Kysely hides why it could not create its table: its next query fails because the transaction is aborted. */
async function start(db: Db, contract: boolean) {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  const { rows } = await sql`select where to_regclass(${DEFAULT_MIGRATION_TABLE}) is null`.execute(db)
  if (rows.length > 0)
    await sql`create table ${table} (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      db,
    )
  await migrate(db, postgresTypes, contract)
  await distribute(db)
}

class LockTaken extends Error {}

/**
 * Retries work that waited too long for a table or conflicted with the same work of another server. Waits for the lock of
 * migrations as long as the other server has it, which takes no time from the retries. It waits between transactions: an index
 * build of the other server waits until all transactions with a snapshot have ended.
 */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const retriedSoon = () => retrying([...conflicts, ...changedMeanwhile], work)
      return await retrying([lockNotAvailable], retriedSoon, longestWait)
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error
      await delay(100)
    }
  }
}

const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>) =>
  db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
      await sql`set local statement_timeout = 0`.execute(transaction)
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
      return await work(transaction)
    })

/** Builds outside the transaction of the lock, which lasts until all are built. */
async function buildIndexes(db: Db) {
  const indexes = await concurrentIndexes(db)
  if ((await unusableIndexes(db, indexes)).length === 0) return
  await inTransaction(db, async (transaction) => {
    await lockMigrations(transaction, DEFAULT_MIGRATION_LOCK_TABLE, MIGRATION_LOCK_ID)
    for (const index of await unusableIndexes(db, indexes)) await buildConcurrently(db, index)
  })
}

async function migrateRows(db: Db): Promise<boolean> {
  await lockMigrations(db, DEFAULT_MIGRATION_LOCK_TABLE, MIGRATION_LOCK_ID)
  return await migrateSomeRows(db, postgresTypes)
}

/** Locks a row for migrations, because not every engine has advisory locks. */
class RowLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, { lockTable, lockRowId }: MigrationLockOptions) {
    await lockMigrations(db, lockTable, lockRowId)
  }
  override async releaseMigrationLock() {}
}

/** Has no parameters, because a query with parameters keeps its snapshot until the next query of the transaction. */
async function lockMigrations(db: QueryExecutorProvider, table: string, row: string) {
  const lock = sql`select id from ${sql.table(table)} where id = ${sql.lit(row)} for update skip locked`
  if ((await lock.execute(db)).rows.length === 0) throw new LockTaken()
}

function explain(error: unknown) {
  if (codeOf(error) === lockNotAvailable)
    return new ConfigError(
      'DATABASE_URL: the schema cannot be changed while other programs use its tables; end their transactions (see pg_stat_activity) and try again',
      { cause: error },
    )
  if (codeOf(error) === '57014')
    return new ConfigError(
      'DATABASE_URL: PostgreSQL cancelled a change of the schema; run "npm run migrate" with the address of PostgreSQL itself and not of a connection pooler',
      { cause: error },
    )
  return error
}
