import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { realPath } from './marker.ts'

/**
 * Copies a database to `daymark.sqlite.before-…` in the same folder before the migration of that name, and returns the path of the
 * copy. It is called in the migrating transaction, which excludes other writers, and reads the state committed before it. The copy
 * is therefore exactly the database that is migrated, even if several servers start at once.
 */
export function copyBeforeMigration(path: string, migration: string): string {
  const target = `${realPath(path)}.before-${migration}`
  const unfinished = `${target}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    // Only the owner may read the copy, which contains all data.
    closeSync(openSync(unfinished, 'wx', 0o600))
    copySnapshot(path, unfinished)
    sync(unfinished)
    renameSync(unfinished, target)
    return target
  } catch (error) {
    throw new Error(`copying it to ${target} before the migration failed: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    for (const file of [unfinished, `${unfinished}-journal`]) rmSync(file, { force: true })
  }
}

/** Throws if the folder of a file has not as many times the size of the file free. */
export function requireSpace(path: string, factor: number): void {
  const folder = dirname(realPath(path))
  const needed = factor * sizeOf(path)
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= needed) return
  throw new Error(
    `its migration needs ${needed} bytes in ${folder}, and ${bavail * bsize} are free; see "Upgrade" in docs/operating.md`,
  )
}

/** Uses one read transaction, so it neither blocks writers nor has to restart because of them. */
export function copySnapshot(source: string, target: string) {
  using reader = new DatabaseSync(source, { readOnly: true, timeout: 5000 })
  reader.prepare('vacuum into ?').run(target)
}

/** The bytes of a database with its log. A copy has at most as many. */
export function sizeOf(path: string): number {
  const [file, log] = [path, `${realPath(path)}-wal`].map((each) => statSync(each, { throwIfNoEntry: false }))
  return (file?.size ?? 0) + (log?.size ?? 0)
}

/** Waits until a file, or what a folder contains, is on the disk. */
export function sync(path: string) {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

export async function containsUsers(db: Db): Promise<boolean> {
  const { rows: tables } =
    await sql`select 1 from sqlite_schema where type = 'table' and name = 'users'`.execute(db)
  if (tables.length === 0) return false
  return (await sql`select 1 from users limit 1`.execute(db)).rows.length > 0
}
