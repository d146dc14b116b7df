import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommandError, requireNamedOrFile } from '../command.ts'
import { type Config, readConfig } from '../config.ts'
import { ConfigError } from '../environment.ts'
import { HttpError } from '../errors.ts'
import type { Database } from './database.ts'
import { createFirst, OlderSchema } from './migrate.ts'

/**
 * Creates and migrates the database, unless the options say otherwise. Loading only its engine saves start time and
 * memory.
 */
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

/** Runs a command on the configured database. What the database rejects is an error of the command. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  requireNamedOrFile(config, process.env)
  const database = await openExistingDatabase(config)
  try {
    return await work(database, config)
  } catch (error) {
    const explained = error instanceof HttpError ? error : database.explain(error)
    throw explained ? new CommandError(explained.message) : error
  } finally {
    await database.close()
  }
}

/**
 * Opens the database for a command, which neither creates nor migrates one: with a wrong path it would report success on an empty
 * database, and a server of an earlier version may be running on it.
 */
async function openExistingDatabase(config: Config): Promise<Database> {
  const { databaseUrl, database } = config
  try {
    return await openConfiguredDatabase({ ...config, database: { ...database, migrate: false } })
  } catch (error) {
    if (!(error instanceof OlderSchema)) throw error
    if (databaseUrl.protocol !== 'file:' || existsSync(databaseUrl)) throw error.ofCommand('DATABASE_URL')
    throw new CommandError(
      `DATABASE_URL: there is no database at ${fileURLToPath(databaseUrl)}; to create one, ${createFirst}`,
    )
  }
}
