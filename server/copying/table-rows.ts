import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, type Schema, tables } from '../database/schema.ts'

export type TableName = keyof Schema
export type Row = Record<string, string | number | null>

export const tableNames = Object.keys(tables) as TableName[]

/** `rows` is the page size limit of the API, so a batch stays within the database's statement timeout. */
const batchSize = { rows: 200, keys: 10_000 }

/** Reads the rows of a table in batches, ordered by its primary key. */
export const rowsOf = (db: Db, table: TableName) => batchesOf(db, table, sql`*`, batchSize.rows)

export async function countRows(db: Db, table: TableName): Promise<number> {
  const keys = sql.join(tables[table].map((column) => sql.ref(column)))
  let count = 0
  for await (const rows of batchesOf(db, table, keys, batchSize.keys)) count += rows.length
  return count
}

async function* batchesOf(db: Db, table: TableName, columns: ReturnType<typeof sql>, size: number) {
  const key: readonly string[] = tables[table]
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<Row>`
      select ${columns} from ${sql.table(table)} ${after} order by ${keyColumns} limit ${size}
    `.execute(db)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < size) return
    after = sql`where (${keyColumns}) > (${sql.join(key.map((column) => last[column]))})`
  }
}

/**
 * Returns the number of rows and a checksum, which is the same for the same rows on every engine. The checksum is the
 * sum of the rows' hashes and not a hash chain, because engines sort text differently.
 */
export async function summarize(db: Db, table: TableName, onRows: (count: number) => void) {
  let [count, checksum] = [0, 0n]
  for await (const rows of rowsOf(db, table)) {
    for (const row of rows) checksum = BigInt.asUintN(256, checksum + hashOf(row))
    count += rows.length
    onRows(rows.length)
  }
  return { count, checksum }
}

function hashOf(row: Row): bigint {
  const byName = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
  return BigInt(`0x${hash('sha256', JSON.stringify(byName))}`)
}
