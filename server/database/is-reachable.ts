import type { Database } from './database.ts'

/** Whether queries succeed and changes can be stored. */
export async function isReachable(database: Database): Promise<boolean> {
  if (database.fault()) return false
  try {
    await database.probe()
    return true
  } catch {
    return false
  }
}
