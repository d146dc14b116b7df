import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import { tables } from './schema.ts'

/** Deletes all rows of a table that fulfil a condition, which the engine finds in the order of an indexed column. */
export type DeleteRows = (
  table: 'sessions' | 'credentials' | 'attempts' | 'guesses',
  column: string,
  condition: Expression<SqlBool>,
) => Promise<void>

/**
 * Returns a function that deletes at most `size` rows per transaction, until `stop` is aborted. Several servers can delete
 * concurrently. If another server has changed or deleted a row meanwhile, the condition is checked again.
 */
export function deleteInBatches(database: Database, size: number, stop: AbortSignal): DeleteRows {
  return async (table, column, condition) => {
    const key = sql.join(tables[table].map((each) => sql.ref(each)))
    const batch = sql`
      select ${key} from ${sql.table(table)} where ${condition} order by ${sql.ref(column)} limit ${size}`
    const deletion = sql`delete from ${sql.table(table)} where ${condition} and (${key}) in (${batch})`
    let deleted = size
    while (deleted >= size && !stop.aborted) {
      const { numAffectedRows } = await database.write((db) => deletion.execute(db))
      deleted = Number(numAffectedRows)
    }
  }
}
