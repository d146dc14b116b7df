import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Returns all rows of all tables, to compare the database before and after a request that must change nothing. */
export async function allRows({ read }: Database): Promise<Record<string, string[]>> {
  // Views store nothing, and a distributed engine adds its own views.
  const tables = (await read.introspection.getTables()).filter(({ isView }) => !isView)
  const entries = tables.map(async ({ name }) => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(read)
    return [name, rows.map(withSortedKeys).sort()] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The engines may have a table's columns in different orders. */
const withSortedKeys = (row: unknown) =>
  JSON.stringify(Object.fromEntries(Object.entries(row as object).sort()))
