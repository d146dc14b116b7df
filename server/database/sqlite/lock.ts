import { setTimeout as delay } from 'node:timers/promises'
import { isBusy } from './errors.ts'

/** How long to wait for another server that copies and migrates the database, in milliseconds. */
export const longestMigration = 1_800_000

/** The time between retries, in milliseconds. */
const step = 20

/**
 * Runs the start of a transaction and retries it while another process holds the file's write lock, for at most `limit`
 * milliseconds. Waits between turns of the event loop: waiting inside SQLite would block all reads.
 */
export async function waitForLock<T>(begin: () => T | Promise<T>, limit: number): Promise<T> {
  for (let waited = 0; ; waited += step) {
    try {
      return await begin()
    } catch (error) {
      if (!isBusy(error) || waited >= limit) throw error
      await delay(step)
    }
  }
}
