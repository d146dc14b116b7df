import { ConfigError } from '../environment.ts'
import type { Database } from './database.ts'

/** Whether queries succeed and changes can be stored. */
export async function isReachable(database: Database): Promise<boolean> {
  return !database.fault() && (await whyUnreachable(database)) === undefined
}

export async function whyUnreachable(
  database: Database,
): Promise<'database-of-other-version' | 'database-silent' | undefined> {
  try {
    await database.probe()
    return undefined
  } catch (error) {
    return error instanceof ConfigError ? 'database-of-other-version' : 'database-silent'
  }
}

/**
 * Rows that change about as many pages of a file as adding a task does. On a full disk, a single row often finds space when no task
 * does.
 */
const keys = Array.from({ length: 32 }, (_, index) => `readiness ${index} `.padEnd(1000, '.'))

export async function canStore(database: Database, now: number): Promise<boolean> {
  const rows = keys.map((key) => ({ key, count: 0, since: now, last_at: now }))
  try {
    await database.write((db) =>
      db
        .insertInto('attempts')
        .values(rows)
        .onConflict((existing) => existing.column('key').doUpdateSet({ since: now, last_at: now }))
        .execute(),
    )
    return true
  } catch {
    return false
  }
}
