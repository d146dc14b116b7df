import { basename } from 'node:path'
import type { Fault } from '../database.ts'

const manual = '"Backup and restore" in docs/operating.md'

export const damaged = (path: string, finding: string): Fault => ({
  code: 'database-damaged',
  report: `the database ${path} is damaged (${finding.replaceAll('\n', '; ')}). Nothing is stored. Stop the server, restore a backup and start it again: ${manual}`,
})

export const damagedAtStart = (path: string, cause: Error) =>
  new Error(`${path} is damaged or not a database (${cause.message}); restore a backup: ${manual}`, { cause })

/** `file` is the path of the database, its WAL or its shared memory file; `there` is the file at that path now. */
export const lost = (file: string, there: object | undefined) => gone(file, there ? 'replaced' : 'removed')

export const emptied = (file: string) => gone(file, 'emptied')

function gone(file: string, what: string): Fault {
  const remedy = /-(wal|shm)$/.test(file)
    ? 'Restart the server: if the database file itself is unchanged, it then contains all acknowledged changes'
    : 'If it was moved, move it back: the server then continues. Otherwise stop the server, restore a backup and start it again'
  return {
    code: 'database-lost',
    report: `${basename(file)} was ${what} while the server was running (${file}). Nothing is stored. ${remedy}: ${manual}`,
  }
}
