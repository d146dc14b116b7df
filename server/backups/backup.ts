import { existsSync } from 'node:fs'
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../command.ts'
import { tables } from '../database/schema.ts'
import { createFolder } from '../database/sqlite/create-folder.ts'
import { backupName, unverifiedName } from './backup-folder.ts'

export type BackupReport = {
  file: string
  bytes: number
  rows: Record<string, number>
}

/**
 * Copies a consistent snapshot of an SQLite database into `folder` during writes by others. The copy gets its final name
 * after it is on disk and verified. This blocks the process, so the server runs it in a separate one.
 */
export async function takeBackup(database: URL, folder: string): Promise<BackupReport> {
  const source = fileURLToPath(database)
  if (!existsSync(source)) throw new CommandError(`There is no database to back up at ${source}`)
  const at = Temporal.Now.instant()
  const unverified = join(folder, unverifiedName(at))
  const rows = await copyVerified(source, unverified)
  const file = join(folder, backupName(at))
  await rename(unverified, file)
  await sync(folder)
  return { file, bytes: await sizeOf(file), rows }
}

/**
 * Copies a consistent snapshot of `source` to `target`, which only its owner may read, and verifies the copy on the disk. If that
 * fails, no copy is left.
 */
export async function copyVerified(source: string, target: string): Promise<BackupReport['rows']> {
  await createPrivately(target, dirname(target))
  try {
    await requireSpace(dirname(target), await sizeOf(source))
    copy(source, target)
    await sync(target)
    return verify(target)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  } finally {
    await rm(`${target}-journal`, { force: true })
  }
}

/** Backups contain all data, so only the owner may read them. */
async function createPrivately(file: string, folder: string) {
  try {
    createFolder(folder, 0o700)
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be written to: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** A copy is at most as large as the database with its log. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw new CommandError(
    `There is not enough space in ${folder}: ${bytes} bytes are needed, ${bavail * bsize} are free`,
  )
}

async function sizeOf(file: string): Promise<number> {
  const log = `${file}-wal`
  const files = existsSync(log) ? [file, log] : [file]
  const sizes = await Promise.all(files.map(async (each) => (await stat(each)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Uses one read transaction, so it neither blocks writers nor has to restart because of them. */
function copy(source: string, target: string) {
  try {
    using file = new DatabaseSync(source, { readOnly: true, timeout: 5000 })
    file.prepare('vacuum into ?').run(target)
  } catch (error) {
    throw new CommandError(`The database ${source} cannot be copied: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export async function sync(path: string) {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

function verify(path: string): BackupReport['rows'] {
  // SQLite verifies CHECK constraints only on a writable connection; `query_only` prevents writes.
  using file = new DatabaseSync(path)
  file.exec('pragma query_only = on')
  const [check] = file.prepare('pragma integrity_check(1)').all()
  if (check?.integrity_check !== 'ok')
    throw new CommandError(`The copy is damaged: ${check?.integrity_check}`)
  // The tables in the file, not those of the current schema, because backups are also taken before an upgrade. Those of
  // the engine and of the migrations are left out.
  const found = file
    .prepare(
      `select name from sqlite_schema where type = 'table' and not name glob 'sqlite_*' and not name glob 'kysely_*'`,
    )
    .all()
    .map(({ name }) => String(name))
  if (found.length === 0) throw new CommandError('The database is empty: it has no tables to back up')
  const order = Object.keys(tables)
  return Object.fromEntries(
    found
      .sort((one, other) => order.indexOf(one) - order.indexOf(other))
      .map((name) => [name, Number(file.prepare(`select count(*) as n from "${name}"`).get()?.n)]),
  )
}
