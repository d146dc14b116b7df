import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'
import * as start from './migrations/001-users-sessions-tasks.ts'
import * as attempts from './migrations/002-attempts.ts'
import * as storedBytes from './migrations/003-stored-bytes.ts'
import * as closedAccounts from './migrations/004-closed-accounts.ts'
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
}

/**
 * Migrates the schema to the newest version, or to `target`. The caller holds the engine's lock and transaction, so
 * servers that start together take turns, and a migration that fails changes nothing.
 */
export async function migrate(db: Db, types: ColumnTypes, target?: string): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      { up: (db) => step.up(db, types), down: (db) => step.down(db, types) },
    ]),
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // SQLite's writer begins its transactions without Kysely.
    disableTransactions: !db.isTransaction,
  })
  const { error } = target ? await migrator.migrateTo(target) : await migrator.migrateToLatest()
  if (error) throw error
}
