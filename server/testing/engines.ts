import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, inject } from 'vitest'
import { openDatabase } from '../database/open-database.ts'

export type Engine = 'sqlite' | 'postgres'

/** Runs the tests on each engine: on a real SQLite file and on a real PostgreSQL server. */
export function onEveryEngine(title: string, tests: (engine: Engine) => void) {
  for (const engine of ['sqlite', 'postgres'] as const) describe(`${title} (${engine})`, () => tests(engine))
}

/** Returns the URL of a new, empty database. */
export async function emptyDatabase(engine: Engine): Promise<URL> {
  if (engine === 'postgres') return newPostgresDatabase()
  const folder = await mkdtemp(join(inject('folder'), 'sqlite-'))
  return pathToFileURL(join(folder, 'daymark.sqlite'))
}

/** Returns the URL of a new database with the schema of this version and no rows. A copy is faster than a migration. */
export async function migratedDatabase(engine: Engine): Promise<URL> {
  const { sqlite, postgres } = inject('migrated')
  if (engine === 'postgres' && postgres) return newPostgresDatabase(`template ${postgres} strategy file_copy`)
  const url = await emptyDatabase(engine)
  if (engine === 'sqlite') await copyFile(sqlite, fileURLToPath(url))
  else await (await openDatabase(url)).close()
  return url
}

/** For the statements that create databases. It does not keep this process from its end. */
let pool: pg.Pool | undefined

async function newPostgresDatabase(options = ''): Promise<URL> {
  const url = new URL(inject('postgresUrl'))
  pool ??= new pg.Pool({ connectionString: url.href, max: 1, allowExitOnIdle: true }).on('error', () => {})
  url.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  await pool.query(`create database ${url.pathname.slice(1)} ${options}`)
  return url
}

/** Runs one statement on a separate connection. */
export async function onPostgres(url: URL | string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: String(url) })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
