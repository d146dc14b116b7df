import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'
import * as start from './migrations/001-users-sessions-tasks.ts'
import * as attempts from './migrations/002-attempts.ts'
import * as storedBytes from './migrations/003-stored-bytes.ts'
import * as closedAccounts from './migrations/004-closed-accounts.ts'
import * as changeLog from './migrations/005-change-log.ts'
import type { Db } from './schema.ts'

type EngineMigration = {
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
  down(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
}

/** All migrations by name, in order. A released migration is never edited. */
const steps: Record<string, EngineMigration> = {
  '001-users-sessions-tasks': start,
  '002-attempts': attempts,
  '003-stored-bytes': storedBytes,
  '004-closed-accounts': closedAccounts,
  '005-change-log': changeLog,
}

/**
 * Migrates the schema to the newest version, or to `target`. The caller holds the engine's lock and transaction, so
 * servers that start together take turns, and a migration that fails changes nothing.
 */
export async function migrate(db: Db, types: ColumnTypes, target?: string): Promise<void> {
  const migrator = migratorOf(db, types)
  const { error } = target ? await migrator.migrateTo(target) : await migrator.migrateToLatest()
  if (error) throw error
}

/** The first step that the database has not taken, or undefined where its schema is the newest. */
export async function nextStep(db: Db, types: ColumnTypes): Promise<string | undefined> {
  const migrations = await migratorOf(db, types).getMigrations()
  return migrations.find(({ executedAt }) => executedAt === undefined)?.name
}

function migratorOf(db: Db, types: ColumnTypes) {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      { up: (db) => step.up(db, types), down: (db) => step.down(db, types) },
    ]),
  )
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // SQLite's writer begins its transactions without Kysely.
    disableTransactions: !db.isTransaction,
  })
}
