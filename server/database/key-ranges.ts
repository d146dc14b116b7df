import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import { type Db, tables } from './schema.ts'

/** A condition that selects rows with adjacent primary keys. */
export type KeyRange = Expression<SqlBool>

/**
 * Runs `work` on all rows of a table, at most `size` per transaction, until `stop` is aborted. The ranges follow the
 * primary key, so the cost of finding the next one does not depend on the size of the table.
 */
export async function inKeyRanges(
  { write }: Database,
  table: 'users',
  size: number,
  stop: AbortSignal,
  work: (db: Db, range: KeyRange) => Promise<void>,
) {
  const key = sql.join(tables[table].map((column) => sql.ref(column)))
  let behind: KeyRange | undefined = sql`true`
  while (behind && !stop.aborted) {
    const first: KeyRange = behind
    behind = await write(async (db): Promise<KeyRange | undefined> => {
      const { rows } = await sql<Record<string, string>>`
        select ${key} from ${sql.table(table)} where ${first} order by ${key} limit 1 offset ${size - 1}
      `.execute(db)
      const last = rows[0] && sql.join(tables[table].map((column) => rows[0]?.[column]))
      await work(db, last ? sql`${first} and (${key}) <= (${last})` : first)
      return last && sql`(${key}) > (${last})`
    })
  }
}
