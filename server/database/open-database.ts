import { type Config, readConfig } from '../config.ts'
import { ConfigError } from '../environment.ts'
import type { Database } from './database.ts'

/** Opens the engine of the URL and migrates its schema. Loading only that engine saves start time and memory. */
export async function openDatabase(url: URL, options = readConfig({}).database): Promise<Database> {
  if (url.protocol === 'file:') return (await import('./sqlite/database.ts')).openSqlite(url, options)
  return (await import('./postgres/database.ts')).openPostgres(url, options)
}

/** Opens the database of the configuration. Its errors are ConfigErrors, with one line for the operator. */
export async function openConfiguredDatabase({ databaseUrl, database }: Config): Promise<Database> {
  try {
    return await openDatabase(databaseUrl, database)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { message, errors } = error as Error & { errors?: Error[] }
    const [reason] = (message || errors?.[0]?.message || String(error)).split('\n')
    throw new ConfigError(`DATABASE_URL: the database cannot be opened: ${reason}`, { cause: error })
  }
}
