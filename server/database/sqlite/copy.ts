import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { realPath } from './marker.ts'

/**
 * Copies a database that contains users to `daymark.sqlite.before-…` in the same folder before the migration of that name. `db`
 * is the migrating transaction, which excludes other writers, and `reader` reads the state committed before it. The copy
 * is therefore exactly the database that is migrated, even if several servers start at once.
 */
export async function copyBeforeMigration(
  path: string,
  reader: DatabaseSync,
  db: Db,
  migration: string,
): Promise<void> {
  if (!(await containsUsers(db))) return
  const target = `${realPath(path)}.before-${migration}`
  const unfinished = `${target}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    // Only the owner may read the copy, which contains all data.
    closeSync(openSync(unfinished, 'wx', 0o600))
    reader.prepare('vacuum into ?').run(unfinished)
    sync(unfinished)
    renameSync(unfinished, target)
  } catch (error) {
    throw new Error(`copying it to ${target} before the migration failed: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    for (const file of [unfinished, `${unfinished}-journal`]) rmSync(file, { force: true })
  }
}

async function containsUsers(db: Db): Promise<boolean> {
  const { rows: tables } =
    await sql`select 1 from sqlite_schema where type = 'table' and name = 'users'`.execute(db)
  if (tables.length === 0) return false
  return (await sql`select 1 from users limit 1`.execute(db)).rows.length > 0
}

function sync(file: string) {
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
