import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { ConfigError } from '../environment.ts'
import type { ColumnTypes } from './column-types.ts'
import { createIndex, type Index } from './indexes.ts'
import * as start from './migrations/001-start.ts'
import * as foldedTexts from './migrations/002-expand-folded-texts.ts'
import * as composedEmails from './migrations/003-expand-composed-emails.ts'
import * as credentials from './migrations/004-expand-credentials.ts'
import * as guesses from './migrations/005-expand-guesses.ts'
import * as dueTimes from './migrations/006-expand-due-times.ts'
import * as repeats from './migrations/007-expand-repeats.ts'
import * as changeEvents from './migrations/008-expand-change-events.ts'
import * as reminders from './migrations/009-expand-reminders.ts'
import * as series from './migrations/010-expand-series.ts'
import type { Db } from './schema.ts'

export type Migration = {
  up?(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
  /** Indexes of tables that may be large. PostgreSQL builds them outside the transaction, without blocking writes. */
  indexes?: readonly Index[]
}

/**
 * All migrations by name, in order. A released migration is never edited. After a migration that is called `NNN-expand-…`,
 * servers of the previous version still work. A migration that is called `NNN-contract-…` removes columns that only these
 * servers need. They do not work after it, and this version also works before it.
 */
export const migrations: Record<string, Migration> = {
  '001-start': start,
  '002-expand-folded-texts': foldedTexts,
  '003-expand-composed-emails': composedEmails,
  '004-expand-credentials': credentials,
  '005-expand-guesses': guesses,
  '006-expand-due-times': dueTimes,
  '007-expand-repeats': repeats,
  '008-expand-change-events': changeEvents,
  '009-expand-reminders': reminders,
  '010-expand-series': series,
}

const expands = (name: string) => /^\d{3}-expand-/.test(name)
const contracts = (name: string) => /^\d{3}-contract-/.test(name)

/**
 * Migrates the schema. A new database gets all migrations. In an existing one, unless `contract` is true, it stops before the
 * first migration that excludes servers of the previous version. The caller holds the engine's transaction, so a migration that
 * fails changes nothing. `before` runs before the first migration, and gets its name.
 */
export async function migrate(
  db: Db,
  types: ColumnTypes,
  contract: boolean,
  before?: (first: string) => Promise<void>,
): Promise<void> {
  const [first] = applicable(await executedMigrations(db), contract)
  if (first) await before?.(first)
  const migrator = new Migrator({
    db,
    provider: {
      // Called with the lock, so that another server has either applied all of its migrations or none.
      async getMigrations() {
        const executed = await executedMigrations(db)
        const names = [...executed, ...applicable(executed, contract)]
        return Object.fromEntries(names.map((name) => [name, { up: (db) => apply(db, types, name) }]))
      },
    },
    // SQLite's writer begins its transactions without Kysely.
    disableTransactions: !db.isTransaction,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

async function apply(db: Kysely<unknown>, types: ColumnTypes, name: string) {
  await migrations[name]?.up?.(db, types)
  if (types.concurrentIndexes) return
  for (const index of migrations[name]?.indexes ?? []) await createIndex(db, index)
}

function applicable(executed: string[], contract: boolean): string[] {
  const pending = pendingAfter(executed)
  const excluding = pending.findIndex(contracts)
  return contract || executed.length === 0 || excluding < 0 ? pending : pending.slice(0, excluding)
}

/**
 * Returns the names of the migrations that the database lacks. Throws a ConfigError if it has one that this version does
 * not know, unless servers of the previous version still work after it.
 */
function pendingAfter(executed: string[]): string[] {
  const unknown = executed.findLast((name) => !(name in migrations) && !expands(name))
  if (unknown !== undefined)
    throw new ConfigError(
      `DATABASE_URL: the schema of the database is newer than this version (it has the migration ${unknown}, and the last one ` +
        `that this version knows is ${Object.keys(migrations).at(-1)}); install the newer version`,
    )
  return Object.keys(migrations).filter((name) => !executed.includes(name))
}

async function executedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE) ? await recordedMigrations(db) : []
}

async function recordedMigrations(db: Db): Promise<string[]> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns the indexes of executed migrations that `migrate` does not create if `types.concurrentIndexes` is true. */
export async function concurrentIndexes(db: Db): Promise<Index[]> {
  return (await recordedMigrations(db)).flatMap((name) => migrations[name]?.indexes ?? [])
}

/**
 * Throws a ConfigError if this version does not work with the schema. It works with a schema that lacks only the last
 * migrations, if these are `contract` migrations.
 */
export async function requireSchema(db: Db): Promise<void> {
  requireMigrations(await executedMigrations(db))
}

/** Throws like `requireSchema`, for a database that had a schema at the start. */
export async function probeSchema(db: Db): Promise<void> {
  requireMigrations(await recordedMigrations(db))
}

function requireMigrations(executed: string[]) {
  const pending = pendingAfter(executed)
  const needed = pending.find((name) => !contracts(name))
  if (needed === undefined) return
  const older = `the schema of the database is older than this version needs (it lacks ${needed})`
  if (pending[0] === needed) throw new ConfigError(`MIGRATE=off: ${older}; run "npm run migrate"`)
  throw new ConfigError(
    `DATABASE_URL: ${older}; stop all servers of earlier versions and run "npm run migrate -- --contract"`,
  )
}
