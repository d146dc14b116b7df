import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { isDamage } from './errors.ts'

/**
 * Returns the first problem that SQLite's integrity check finds, or undefined. The check runs in a separate process with
 * the lowest priority, because it reads the whole file in one synchronous call that cannot be cancelled.
 */
export async function findDamage(path: string, signal: AbortSignal): Promise<string | undefined> {
  const options = { signal, killSignal: 'SIGKILL' } as const
  const running = promisify(execFile)(process.execPath, [import.meta.filename, path], options)
  const closed = new Promise((resolve) => running.child.once('close', resolve))
  try {
    const finding = (await running).stdout.trim()
    return finding === 'ok' ? undefined : finding
  } finally {
    // While the check has the file open, the server cannot remove the WAL file.
    await closed
  }
}

function check(path: string): unknown {
  try {
    // Read-only, so that no file is created if the database is gone.
    using file = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    return file.prepare('pragma integrity_check(1)').get()?.integrity_check
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw error
  }
}

if (import.meta.main) {
  setPriority(constants.priority.PRIORITY_LOW)
  console.log(check(process.argv[2] as string))
}
