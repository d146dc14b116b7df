import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { ConfigError } from '../environment.ts'
import type { ColumnTypes } from './column-types.ts'
import { createIndex, type Index } from './indexes.ts'
import * as start from './migrations/001-users-sessions-tasks.ts'
import * as attempts from './migrations/002-attempts.ts'
import * as storedBytes from './migrations/003-stored-bytes.ts'
import * as closedAccounts from './migrations/004-closed-accounts.ts'
import * as changeLog from './migrations/005-change-log.ts'
import * as sweepIndexes from './migrations/006-sweep-indexes.ts'
import * as doneTasks from './migrations/007-done-tasks.ts'
import * as foldedTexts from './migrations/008-folded-texts.ts'
import * as notes from './migrations/009-notes.ts'
import * as deletedTasks from './migrations/010-deleted-tasks.ts'
import * as settings from './migrations/011-settings.ts'
import * as creationsUnindexed from './migrations/012-creations-unindexed.ts'
import type { Db } from './schema.ts'

type EngineMigration = {
  up?(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
  down(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
  /** Indexes of tables that may be large. PostgreSQL builds them outside the transaction, without blocking writes. */
  indexes?: readonly Index[]
}

/** All migrations by name, in order. A released migration is never edited. */
const steps: Record<string, EngineMigration> = {
  '001-users-sessions-tasks': start,
  '002-attempts': attempts,
  '003-stored-bytes': storedBytes,
  '004-closed-accounts': closedAccounts,
  '005-change-log': changeLog,
  '006-sweep-indexes': sweepIndexes,
  '007-done-tasks': doneTasks,
  '008-folded-texts': foldedTexts,
  '009-notes': notes,
  '010-deleted-tasks': deletedTasks,
  '011-settings': settings,
  '012-creations-unindexed': creationsUnindexed,
}

/** The indexes that `migrate` does not create if `types.concurrentIndexes` is true. */
export const concurrentIndexes = Object.values<EngineMigration>(steps).flatMap(({ indexes = [] }) => indexes)

/**
 * Migrates the schema to the newest version, or to `target`. The caller holds the engine's lock and transaction, so
 * servers that start together take turns, and a migration that fails changes nothing.
 */
export async function migrate(db: Db, types: ColumnTypes, target?: string): Promise<void> {
  await pendingMigrations(db, types)
  const migrator = migratorOf(db, types)
  const { error } = target ? await migrator.migrateTo(target) : await migrator.migrateToLatest()
  if (error) throw error
}

/** Returns the names of the migrations that the database lacks. Throws if it has one that this version does not know. */
export async function pendingMigrations(db: Db, types: ColumnTypes): Promise<string[]> {
  const known = await migratorOf(db, types).getMigrations()
  const pending = known.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
  // Without any migration, the table of their names may not exist.
  if (pending.length === known.length) return pending
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name desc limit 1`.execute(
    db,
  )
  const newest = rows[0]?.name ?? ''
  if (!(newest in steps))
    throw new ConfigError(
      `DATABASE_URL: the schema of the database is newer than this version (it has ${newest}); install the newer version`,
    )
  return pending
}

/** Throws unless the schema is that of this version. */
export async function requireSchema(db: Db, types: ColumnTypes): Promise<void> {
  const [missing] = await pendingMigrations(db, types)
  if (missing)
    throw new ConfigError(
      `MIGRATE=off: the schema of the database is older than this version needs (it lacks ${missing}); run "npm run migrate"`,
    )
}

function migratorOf(db: Db, types: ColumnTypes) {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, { up, down, indexes = [] }]): [string, Migration] => [
      name,
      {
        async up(db) {
          await up?.(db, types)
          if (types.concurrentIndexes) return
          for (const index of indexes) await createIndex(db, index)
        },
        down: (db) => down(db, types),
      },
    ]),
  )
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // SQLite's writer begins its transactions without Kysely.
    disableTransactions: !db.isTransaction,
  })
}
