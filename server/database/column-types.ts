import { type RawBuilder, sql } from 'kysely'

/** What migrations call the column types in which the engines differ. */
export type ColumnTypes = {
  id: 'text' | 'uuid'
  day: 'text' | 'date'
  instant: 'integer' | 'bigint'
  tableOptions: RawBuilder<unknown>
  /** Whether a long text is stored between the columns of its row rather than apart from it. */
  longTextsInRow: boolean
}

export const sqliteTypes: ColumnTypes = {
  id: 'text',
  day: 'text',
  instant: 'integer',
  tableOptions: sql`strict`,
  longTextsInRow: true,
}

/** Types that no collation reorders: CockroachDB knows no column with the collation "C". */
export const postgresTypes: ColumnTypes = {
  id: 'uuid',
  day: 'date',
  instant: 'bigint',
  tableOptions: sql``,
  longTextsInRow: false,
}
