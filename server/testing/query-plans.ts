import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Schema } from '../database/schema.ts'
import { connect } from '../database/sqlite/connection.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import { openTestDatabase } from './open-test-database.ts'

/** An empty SQLite database for the test that runs, which keeps the texts of its statements. */
export async function plannedDatabase() {
  const database = await openTestDatabase('sqlite')
  const { file } = connect(fileURLToPath(database.url), () => {})
  onTestFinished(async () => {
    file.close()
    await database.close()
  })
  const statements = new Set<string>()
  const log = ({ query }: { query: { sql: string } }) => void statements.add(query.sql)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file, () => {}), log })
  const planOf = (text: string) => {
    const details = file.prepare(`explain query plan ${text}`).all()
    return details.map(({ detail }) => String(detail)).join('; ')
  }
  return { db, file, statements, planOf }
}
