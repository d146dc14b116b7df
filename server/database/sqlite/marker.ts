import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs'

/** The marker is next to the path in DATABASE_URL, not next to the target of a symbolic link, which may not be mounted. */
const markerOf = (path: string) => `${path}.exists`

const text = `This file records that a Daymark database exists next to it. While this file exists, Daymark does not
start without that database, because it would create an empty one. "Backup and restore" in docs/operating.md
describes how to restore a backup. To start with an empty database, remove this file.
`

/**
 * Throws if a database existed and is gone, because a new one would hide the loss. A WAL file after a crash is evidence
 * too, for databases that are older than the marker.
 */
export function rejectLostDatabase(path: string): void {
  // Checked before the database file, because a concurrently starting server creates that file first.
  const traces = [markerOf(path), `${realPath(path)}-wal`].filter((file) => existsSync(file))
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (traces.length > 0 && !size) throw lostDatabase(path, size === 0 ? 'empty' : 'gone', traces)
}

/** Throws if the database exists but has no tables: they were in a WAL file that is gone. */
export function rejectEmptiedDatabase(path: string, hasTables: boolean): void {
  if (!hasTables && existsSync(markerOf(path))) throw lostDatabase(path, 'empty', [markerOf(path)])
}

/** Creates the marker. If that fails, the database is used anyway. */
export function markDatabase(path: string): void {
  const marker = markerOf(path)
  if (existsSync(marker)) return
  try {
    writeFileSync(marker, text, { mode: 0o600 })
  } catch (error) {
    // On a full disk, the file may be created without its content; only its existence matters.
    if (!existsSync(marker)) {
      process.emitWarning(
        `${marker} cannot be written, so the next start would not detect the loss of the database: ${(error as Error).message}`,
      )
    }
  }
}

/** Resolves symbolic links, because SQLite keeps the WAL file next to their target. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

const lostDatabase = (path: string, state: 'gone' | 'empty', traces: string[]) =>
  new Error(
    `the database that was at ${path} is ${state}; restore a backup (see "Backup and restore" in docs/operating.md), or remove ${traces.join(' and ')} to start with an empty database`,
  )
