import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export type Backup = { file: string; at: Temporal.Instant }

/** A file with the name of a backup that is neither counted nor removed. */
type Ignored = { file: string; reason: string }

// A backup gets its name without `.unverified` after it has been verified.
const pattern = /^daymark-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)Z\.sqlite(\.unverified(?:-journal)?)?$/
const unverified = '.unverified'

const isUnverified = ({ file }: Backup) => file.endsWith(unverified) || file.endsWith(`${unverified}-journal`)

/** `daymark-2026-11-21T030405Z.sqlite`: the time of the backup, in a form that every file system accepts. */
export const backupName = (at: Temporal.Instant) =>
  `daymark-${at.toString({ smallestUnit: 'second' }).replaceAll(':', '')}.sqlite`

export const unverifiedName = (at: Temporal.Instant) => backupName(at) + unverified

/** Lists the verified backups in a folder, newest first, and files that only have the name of one. The folder may not exist. */
export async function listBackups(folder: string): Promise<{ backups: Backup[]; ignored: Ignored[] }> {
  const { own, ignored } = await listOwn(folder)
  const backups: Backup[] = []
  for (const backup of own.filter((each) => !isUnverified(each))) {
    if (await isComplete(backup.file)) backups.push(backup)
    else ignored.push({ file: backup.file, reason: 'it is not a complete SQLite database' })
  }
  return { backups, ignored }
}

/** Removes all but the newest `keep` backups, and the files of interrupted ones. Does not touch other files. */
export async function removeOldBackups(folder: string, keep: number): Promise<void> {
  const { backups } = await listBackups(folder)
  const [newest] = backups
  if (!newest) return
  const leftovers = (await listOwn(folder)).own.filter(
    (each) => isUnverified(each) && Temporal.Instant.compare(each.at, newest.at) < 0,
  )
  for (const { file } of [...backups.slice(keep), ...leftovers]) await rm(file, { force: true })
}

async function listOwn(folder: string): Promise<{ own: Backup[]; ignored: Ignored[] }> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const [own, ignored]: [Backup[], Ignored[]] = [[], []]
  const now = Temporal.Now.instant()
  for (const name of names) {
    const [, hour, minute, second] = pattern.exec(name) ?? []
    if (!hour) continue
    const file = join(folder, name)
    const at = instantOf(`${hour}:${minute}:${second}Z`)
    if (!at) ignored.push({ file, reason: 'the date in its name does not exist' })
    // If it were counted, it would be the newest backup until then, and new backups would be removed instead.
    else if (Temporal.Instant.compare(at, now) > 0)
      ignored.push({ file, reason: 'the date in its name is in the future' })
    else own.push({ file, at })
  }
  return { own: own.sort((a, b) => Temporal.Instant.compare(b.at, a.at)), ignored }
}

function instantOf(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}

/** Whether a file has the header of an SQLite database and the number of pages in that header (sqlite.org/fileformat.html). */
async function isComplete(file: string): Promise<boolean> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0)
    if (bytesRead < 100 || buffer.toString('latin1', 0, 16) !== 'SQLite format 3\0') return false
    const size = buffer.readUInt16BE(16)
    const pageBytes = size === 1 ? 65_536 : size
    return (await handle.stat()).size === pageBytes * buffer.readUInt32BE(28)
  } catch {
    return false
  }
}
