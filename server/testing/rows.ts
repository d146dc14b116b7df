import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'

/** Returns all rows of all tables, to compare the database before and after a request that must change nothing. */
export async function allRows({ read }: Database): Promise<Record<string, string[]>> {
  const entries = (await tablesOf(read)).map(async (name) => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(read)
    // The engines may have a table's columns in different orders.
    const columns = Object.keys(rows[0] ?? {}).sort()
    return [name, rows.map((row) => jsonOf(row as Row, columns)).sort()] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const tables = new WeakMap<Db, Promise<string[]>>()

/** Looked up once for each opened database: it takes longer than reading the rows. */
function tablesOf(db: Db): Promise<string[]> {
  const known = tables.get(db) ?? findTables(db)
  tables.set(db, known)
  return known
}

/** Views store nothing, and a distributed engine adds its own views. */
async function findTables(db: Db) {
  const found = await db.introspection.getTables()
  return found.filter(({ isView }) => !isView).map(({ name }) => name)
}

type Row = Record<string, unknown>

const jsonOf = (row: Row, columns: string[]) =>
  JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))
