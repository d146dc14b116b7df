import { rmSync } from 'node:fs'
import { sqliteTypes } from '../column-types.ts'
import { hasPending, migrate, migrateSomeRows, requireSchema } from '../migrate.ts'
import { checkpointPages, type SqliteConnection } from './connection.ts'
import { containsUsers, copyBeforeMigration, requireSpace } from './copy.ts'
import { isBusy } from './errors.ts'
import { longestMigration, waitForLock } from './lock.ts'
import { rejectEmptiedDatabase } from './marker.ts'

/** How long the commit of a migration waits inside SQLite for a program that reads the file, in milliseconds. */
const commitTimeout = 60_000

/**
 * How many times the size of the file a migration needs besides it: once for the copy, and once for all tables that are rebuilt. The
 * WAL has all pages that are written, and then the file grows by those that are new; a rollback journal has only replaced pages.
 */
const factors = { delete: 2, wal: 3 }

/** Migrates a file that no other server migrates at this moment. If that fails, the file and its folder are as before. */
export async function migrateFile(path: string, { file, db }: SqliteConnection): Promise<void> {
  const mode = (await containsUsers(db)) && (await hasPending(db, sqliteTypes)) ? withoutLog(file) : 'wal'
  let copy: string | undefined
  const migrateSchema = () =>
    db.transaction().execute(async (transaction) => {
      rejectEmptiedDatabase(path, hasTables(file))
      file.exec(`pragma busy_timeout = ${commitTimeout}`)
      // One server uses the file, so no server of an earlier version runs.
      await migrate(transaction, sqliteTypes, true, async (first) => {
        if (!(await containsUsers(transaction))) return
        requireSpace(path, factors[mode])
        copy = copyBeforeMigration(path, first)
      })
    })
  try {
    await waitForLock(
      () => migrateSchema().finally(() => file.exec('pragma busy_timeout = 0')),
      longestMigration,
    )
  } catch (error) {
    if (copy) {
      rmSync(copy, { force: true })
      // Otherwise the WAL file stays as large as it was.
      if (mode === 'wal') file.exec('pragma wal_checkpoint(truncate)')
    }
    throw error
  } finally {
    await waitForLock(() => file.exec('pragma journal_mode = wal'), longestMigration)
  }
  // So that the WAL stays small, as the migration does.
  file.exec('pragma wal_autocheckpoint = 1000')
  const migrateRows = () =>
    db.transaction().execute((transaction) => migrateSomeRows(transaction, sqliteTypes))
  while (await waitForLock(migrateRows, longestMigration));
  file.exec(`pragma wal_autocheckpoint = ${checkpointPages}`)
}

export async function requireMigratedFile(path: string, { file, db }: SqliteConnection): Promise<void> {
  rejectEmptiedDatabase(path, hasTables(file))
  await requireSchema(db, 'sqlite')
}

/** Writes into the file itself from now on, with a journal of what is replaced. Needs a file that no other connection uses. */
function withoutLog(file: SqliteConnection['file']): keyof typeof factors {
  try {
    const { journal_mode } = file.prepare('pragma journal_mode = delete').get() ?? {}
    return journal_mode === 'delete' ? 'delete' : 'wal'
  } catch (error) {
    if (isBusy(error)) return 'wal'
    throw error
  }
}

const hasTables = (file: SqliteConnection['file']) =>
  file.prepare('select 1 from sqlite_schema limit 1').get() !== undefined
