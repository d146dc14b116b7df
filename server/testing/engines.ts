import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, inject } from 'vitest'

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

/** Returns the URL of a new database without rows. It is a copy, because that is faster than a migration. */
export async function migratedDatabase(engine: Engine): Promise<URL> {
  const { sqlite, postgres } = inject('migrated')
  if (engine === 'postgres') return newPostgresDatabase(postgres && `template ${postgres} strategy file_copy`)
  const url = await emptyDatabase('sqlite')
  await copyFile(sqlite, fileURLToPath(url))
  return url
}

async function newPostgresDatabase(options = ''): Promise<URL> {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  await onPostgres(inject('postgresUrl'), `create database ${url.pathname.slice(1)} ${options}`)
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
