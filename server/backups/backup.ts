import { existsSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../command.ts'
import { tables } from '../database/schema.ts'
import { copySnapshot, sizeOf, sync } from '../database/sqlite/copy.ts'
import { createFolder } from '../database/sqlite/create-folder.ts'
import { backupName, unverifiedName } from './backup-folder.ts'

/**
 * Copies a consistent snapshot of an SQLite database into `folder` during writes by others. The copy gets its final name
 * after it is on disk and verified. This blocks the process, so the server runs it in a separate one.
 */
export async function takeBackup(database: URL, folder: string) {
  const source = fileURLToPath(database)
  if (!existsSync(source)) throw new CommandError(`There is no database to back up at ${source}`)
  const at = Temporal.Now.instant()
  const unverified = join(folder, unverifiedName(at))
  const rows = await copyVerified(source, unverified)
  const file = join(folder, backupName(at))
  await rename(unverified, file)
  sync(folder)
  return { file, bytes: sizeOf(file), rows }
}

/** Copies a snapshot of `source` to `target`, which only its owner may read, and verifies it. A failure leaves no copy. */
export async function copyVerified(source: string, target: string): Promise<Record<string, number>> {
  await createPrivately(target, dirname(target))
  try {
    await requireSpace(dirname(target), sizeOf(source))
    copy(source, target)
    sync(target)
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

export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw new CommandError(
    `There is not enough space in ${folder}: ${bytes} bytes are needed, ${bavail * bsize} are free`,
  )
}

function copy(source: string, target: string) {
  try {
    copySnapshot(source, target)
  } catch (error) {
    throw new CommandError(`The database ${source} cannot be copied: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Returns the number of rows of each table. */
function verify(path: string): Record<string, number> {
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
