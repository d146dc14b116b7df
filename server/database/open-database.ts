import type { Database } from './database.ts'

/** Opens the engine of the URL and migrates its schema. Loading only that engine saves start time and memory. */
export async function openDatabase(url: URL): Promise<Database> {
  if (url.protocol === 'file:') return (await import('./sqlite.ts')).openSqlite(url)
  return (await import('./postgres.ts')).openPostgres(url)
}
