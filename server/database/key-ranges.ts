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
  table: 'sessions' | 'attempts',
  size: number,
  stop: AbortSignal,
  work: (db: Db, range: KeyRange) => Promise<void>,
) {
  const key = sql.ref(tables[table][0])
  let after: string | undefined = ''
  while (after !== undefined && !stop.aborted) {
    const behind: KeyRange = sql`${key} > ${after}`
    after = await write(async (db) => {
      const { rows } = await sql<{ last: string }>`
        select ${key} as last from ${sql.table(table)} where ${behind} order by ${key} limit 1 offset ${size - 1}
      `.execute(db)
      const last = rows[0]?.last
      await work(db, last === undefined ? behind : sql`${behind} and ${key} <= ${last}`)
      return last
    })
  }
}
