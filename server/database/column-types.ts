import { type RawBuilder, sql } from 'kysely'

export type ColumnTypes = {
  engine: 'sqlite' | 'postgres'
  id: 'text' | 'uuid'
  day: 'text' | 'date'
  instant: 'integer' | 'bigint'
  tableOptions: RawBuilder<unknown>
  /** For a table that the engine can store in the order of its primary key, so that the rows of one user are stored together. */
  clusteredOptions: RawBuilder<unknown>
  /** Whether indexes can be built outside a transaction without blocking writes. */
  concurrentIndexes: boolean
}

export const sqliteTypes: ColumnTypes = {
  engine: 'sqlite',
  id: 'text',
  day: 'text',
  instant: 'integer',
  tableOptions: sql`strict`,
  clusteredOptions: sql`strict, without rowid`,
  concurrentIndexes: false,
}

/** These types sort independently of collations: CockroachDB does not support the collation "C" for columns. */
export const postgresTypes: ColumnTypes = {
  engine: 'postgres',
  id: 'uuid',
  day: 'date',
  instant: 'bigint',
  tableOptions: sql``,
  clusteredOptions: sql``,
  concurrentIndexes: true,
}
