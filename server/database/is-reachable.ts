import { ConfigError } from '../environment.ts'
import type { Database } from './database.ts'

/** Whether queries succeed and changes can be stored. */
export async function isReachable(database: Database): Promise<boolean> {
  return !database.fault() && (await whyUnreachable(database)) === undefined
}

/** Returns for clients why this server cannot use the database, or undefined if it can. */
export async function whyUnreachable(database: Database): Promise<string | undefined> {
  try {
    await database.probe()
    return undefined
  } catch (error) {
    return error instanceof ConfigError
      ? 'The schema of the database is not one of this version.'
      : 'The database does not answer.'
  }
}

/** Whether a small change can be stored. */
export async function canStore(database: Database, now: number): Promise<boolean> {
  const row = { key: 'readiness', count: 0, since: now, last_at: now }
  try {
    await database.write((db) =>
      db
        .insertInto('attempts')
        .values(row)
        .onConflict((existing) => existing.column('key').doUpdateSet({ since: now, last_at: now }))
        .execute(),
    )
    return true
  } catch {
    return false
  }
}
