import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { v7 as newId } from 'uuid'
import { describe, inject } from 'vitest'

export type Engine = 'sqlite' | 'postgres'

/** The same tests against each engine: a real SQLite file and a real PostgreSQL server. */
export function onEveryEngine(title: string, tests: (engine: Engine) => void) {
  for (const engine of ['sqlite', 'postgres'] as const) describe(`${title} (${engine})`, () => tests(engine))
}

/** The URL of a database that nobody else uses and that holds nothing yet. */
export async function emptyDatabase(engine: Engine): Promise<URL> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'daymark-sqlite-'))
    return pathToFileURL(join(folder, 'daymark.sqlite'))
  }
  const name = `test_${newId().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url
}
