import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export type Backup = { file: string; at: Temporal.Instant }

// A backup gets a name of this form only once it has been verified, so what has one is good.
const pattern = /^daymark-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)Z\.sqlite(\.unverified)?$/
const unverified = '.unverified'

/** `daymark-2026-11-21T030405Z.sqlite`: the moment whose data it holds, in a form that every file system takes. */
export const backupName = (at: Temporal.Instant) =>
  `daymark-${at.toString({ smallestUnit: 'second' }).replaceAll(':', '')}.sqlite`

export const unverifiedName = (at: Temporal.Instant) => backupName(at) + unverified

/** The verified backups in a folder, newest first; none where there is no such folder yet. */
export async function listBackups(folder: string): Promise<Backup[]> {
  return (await listOwn(folder)).filter(({ file }) => !file.endsWith(unverified))
}

/** Removes all but the newest `keep` backups and what an interrupted one has left; no file that is not ours. */
export async function removeOldBackups(folder: string, keep: number): Promise<void> {
  const verified = await listBackups(folder)
  const [newest] = verified
  if (!newest) return
  const leftovers = (await listOwn(folder)).filter(
    ({ file, at }) => file.endsWith(unverified) && Temporal.Instant.compare(at, newest.at) < 0,
  )
  for (const { file } of [...verified.slice(keep), ...leftovers]) await rm(file, { force: true })
}

async function listOwn(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => {
      const [, hour, minute, second] = pattern.exec(name) ?? []
      if (!hour) return []
      return { file: join(folder, name), at: Temporal.Instant.from(`${hour}:${minute}:${second}Z`) }
    })
    .sort((a, b) => Temporal.Instant.compare(b.at, a.at))
}
