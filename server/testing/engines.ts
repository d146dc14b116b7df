import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, inject } from 'vitest'

export type Engine = 'sqlite' | 'postgres'

/** Runs the tests on each engine: on a real SQLite file and on a real PostgreSQL server. */
export function onEveryEngine(title: string, tests: (engine: Engine) => void) {
  for (const engine of ['sqlite', 'postgres'] as const) describe(`${title} (${engine})`, () => tests(engine))
}

/** Returns the URL of a new, empty database. */
export async function emptyDatabase(engine: Engine): Promise<URL> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(inject('folder'), 'sqlite-'))
    return pathToFileURL(join(folder, 'daymark.sqlite'))
  }
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  await onPostgres(inject('postgresUrl'), `create database ${url.pathname.slice(1)}`)
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
