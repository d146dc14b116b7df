import { existsSync } from 'node:fs'
import { chown, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../command.ts'
import { sync } from '../database/sqlite/copy.ts'
import { isBusy } from '../database/sqlite/errors.ts'
import { realPath } from '../database/sqlite/marker.ts'
import { copyVerified } from './backup.ts'

/**
 * Replaces an SQLite database with a backup. The backup is verified first. What was there keeps its content, with its `-wal`
 * and `-shm`, under another name in the same folder, `kept`. The server must be stopped: an open database is refused.
 */
export async function restoreBackup(database: URL, backup: string) {
  const file = realPath(fileURLToPath(database))
  if (!existsSync(backup)) throw new CommandError(`There is no backup ${backup}`)
  if (existsSync(file) && realPath(file) === realPath(backup))
    throw new CommandError(`${backup} is the database itself: name the backup to restore`)
  const restoring = `${file}.restoring`
  // Of an interrupted restore.
  await rm(restoring, { force: true })
  try {
    const rows = await copyVerified(backup, restoring)
    if (!('users' in rows)) throw new CommandError(`${backup} is not a database of Daymark`)
    forgetReminders(restoring)
    rejectOpen(file)
    await giveToOwner(restoring, file)
    const kept = await setAside(file)
    await rename(restoring, file)
    sync(dirname(file))
    return { file, rows, kept }
  } finally {
    await rm(restoring, { force: true })
  }
}

/** Reminders from before the restore were sent before it. */
function forgetReminders(file: string) {
  using database = new DatabaseSync(file)
  const has = database.prepare(`select 1 from sqlite_schema where name = 'push'`).get()
  if (has) database.prepare('update push set not_before = ?').run(Date.now())
}

/** A server that has the file open would go on with the replaced one. */
function rejectOpen(file: string) {
  if (!existsSync(file)) return
  try {
    using open = new DatabaseSync(file, { timeout: 0 })
    // Fails if another process has the file open, and otherwise writes the WAL into the file.
    open.exec('pragma journal_mode = delete')
  } catch (error) {
    if (!isBusy(error)) return // A damaged file is set aside as it is.
    throw new CommandError(`The database ${file} is in use: stop the server first`, { cause: error })
  }
}

/** If root restores, the server's user owns the file, as before. */
async function giveToOwner(restored: string, replaced: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(existsSync(replaced) ? replaced : dirname(replaced))
  await chown(restored, uid, gid)
}

async function setAside(file: string): Promise<string | undefined> {
  const time = Temporal.Now.instant().toString({ smallestUnit: 'millisecond' }).replaceAll(':', '')
  const kept = `${file}.before-restore-${time}`
  const present = ['', '-wal', '-shm', '-journal'].filter((suffix) => existsSync(file + suffix))
  for (const suffix of present) await rename(file + suffix, kept + suffix)
  return present.length > 0 ? kept : undefined
}
