import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { onPostgres } from './engines.ts'

/** Runs one statement on a separate connection of either engine. */
export async function runStatement(url: URL, statement: string): Promise<Record<string, unknown>[]> {
  if (url.protocol !== 'file:') return await onPostgres(url, statement)
  using file = new DatabaseSync(fileURLToPath(url))
  return file.prepare(statement).all()
}
