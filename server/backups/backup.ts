import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../command.ts'
import { backupName, unverifiedName } from './backup-folder.ts'

export type BackupReport = {
  file: string
  bytes: number
  /** By table. */
  rows: Record<string, number>
}

/**
 * Copies an SQLite database, as it is at one moment, into `folder` while others go on writing to it; the copy gets its
 * name only once it is on disk and has been read back whole. Blocks its process meanwhile: not for the server's own.
 */
export async function takeBackup(database: URL, folder: string): Promise<BackupReport> {
  const source = fileURLToPath(database)
  if (!existsSync(source)) throw new CommandError(`There is no database to back up at ${source}`)
  const at = Temporal.Now.instant()
  const unverified = join(folder, unverifiedName(at))
  await createPrivately(unverified, folder)
  try {
    await requireRoom(folder, await sizeOf(source))
    copy(source, unverified)
    await sync(unverified)
    const rows = verify(unverified)
    const file = join(folder, backupName(at))
    await rename(unverified, file)
    await sync(folder)
    return { file, bytes: await sizeOf(file), rows }
  } finally {
    await rm(unverified, { force: true })
  }
}

/** Whoever reads a backup reads everything that is in it, so it belongs to its owner alone. */
async function createPrivately(file: string, folder: string) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    throw new CommandError(`The folder ${folder} cannot be written to: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** A copy is at most as large as the database with its log. */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw new CommandError(
    `There is too little room in ${folder}: ${bytes} bytes are needed, ${bavail * bsize} are free`,
  )
}

async function sizeOf(file: string): Promise<number> {
  const log = `${file}-wal`
  const files = existsSync(log) ? [file, log] : [file]
  const sizes = await Promise.all(files.map(async (each) => (await stat(each)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** One read transaction, so that no writer waits for it or makes it start again. */
function copy(source: string, target: string) {
  using file = new DatabaseSync(source, { readOnly: true, timeout: 5000 })
  try {
    file.prepare('vacuum into ?').run(target)
  } catch (error) {
    throw new CommandError(`The database ${source} cannot be copied: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function sync(path: string) {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

function verify(path: string): BackupReport['rows'] {
  // Opened to be written, SQLite checks the CHECK constraints as well; nothing is.
  using file = new DatabaseSync(path)
  file.exec('pragma query_only = on')
  const [check] = file.prepare('pragma integrity_check(1)').all()
  if (check?.integrity_check !== 'ok')
    throw new CommandError(`The copy is damaged: ${check?.integrity_check}`)
  // Not the tables of the schema as this version knows it: a backup is also taken just before an upgrade.
  const tables = file
    .prepare(`select name from sqlite_schema where type = 'table' and not name glob '*_*'`)
    .all()
  if (tables.length === 0) throw new CommandError('The database is empty: it has no tables to back up')
  return Object.fromEntries(
    tables.map(({ name }) => [name, Number(file.prepare(`select count(*) as n from "${name}"`).get()?.n)]),
  )
}
