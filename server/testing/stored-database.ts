import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Engine, emptyDatabase, onPostgres } from './engines.ts'

const stored = (file: string) => join(import.meta.dirname, 'stored', file)

/** The user that has rows of all kinds in the stored databases. */
export const ada = { email: 'ada@example.org', password: 'the password of Ada' }

/** Returns the URL of a new copy of the database that `stored/make.ts` made with that version. */
export async function storedDatabase(engine: Engine, version: string): Promise<URL> {
  const url = await emptyDatabase(engine)
  if (engine === 'sqlite') copyFileSync(stored(`${version}.sqlite`), fileURLToPath(url))
  else await onPostgres(url, readFileSync(stored(`${version}.sql`), 'utf8'))
  return url
}
