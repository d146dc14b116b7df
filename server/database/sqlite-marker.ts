import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs'

/** Beside the path that DATABASE_URL names, not beside what a symbolic link leads to: a disk that is not mounted has neither. */
const markerOf = (path: string) => `${path}.exists`

const text = `Daymark has a database beside this file. While this file is here, Daymark does not start
without that database: it would start with an empty one. "Backup and restore" in
docs/operating.md says how to restore a backup. To start with an empty database, remove this file.
`

/**
 * Throws where a database was before and is no longer: a new one would hide the loss. A log that an unclean stop left
 * shows it as well, for a database older than the marker.
 */
export function refuseLostDatabase(path: string): void {
  // Looked for before the database itself: another server that starts now makes the file first.
  const traces = [markerOf(path), `${realPath(path)}-wal`].filter((file) => existsSync(file))
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (traces.length > 0 && !size) throw new LostDatabase(path, size === 0 ? 'empty' : 'gone', traces)
}

/** The same for a database that is there and has no tables: its log held them and is gone. */
export function refuseEmptiedDatabase(path: string, hasTables: boolean): void {
  if (!hasTables && existsSync(markerOf(path))) throw new LostDatabase(path, 'empty', [markerOf(path)])
}

/** Remembers that there is a database. Where that cannot be written, the database is used all the same. */
export function markDatabase(path: string): void {
  const marker = markerOf(path)
  if (existsSync(marker)) return
  try {
    writeFileSync(marker, text, { mode: 0o600 })
  } catch (error) {
    // A full disk takes a file, but nothing into it: its name is what counts.
    if (!existsSync(marker)) {
      process.emitWarning(
        `${marker} cannot be written, so that the loss of the database would go unnoticed at the next start: ${(error as Error).message}`,
      )
    }
  }
}

/** The file itself where the path is a symbolic link to one: SQLite keeps its log beside that. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

class LostDatabase extends Error {
  constructor(path: string, state: 'gone' | 'empty', traces: string[]) {
    super(
      `the database that was at ${path} is ${state}; restore a backup (see "Backup and restore" in docs/operating.md), or remove ${traces.join(' and ')} to start with an empty database`,
    )
  }
}
