import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type { Database } from './database.ts'

/** Whether a query succeeds and changes can be stored. It reads a table: SQLite answers `select 1` without the file. */
export async function isReachable(database: Database): Promise<boolean> {
  if (database.fault()) return false
  try {
    await sql`select 1 from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(database.read)
    return true
  } catch {
    return false
  }
}
