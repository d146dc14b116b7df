import { type RawBuilder, sql } from 'kysely'

/** What migrations call the column types in which the engines differ. */
export type ColumnTypes = {
  id: 'text' | 'uuid'
  day: 'text' | 'date'
  instant: 'integer' | 'bigint'
  tableOptions: RawBuilder<unknown>
}

export const sqliteTypes: ColumnTypes = {
  id: 'text',
  day: 'text',
  instant: 'integer',
  tableOptions: sql`strict`,
}

/** Types that no collation reorders: CockroachDB knows no column with the collation "C". */
export const postgresTypes: ColumnTypes = { id: 'uuid', day: 'date', instant: 'bigint', tableOptions: sql`` }
