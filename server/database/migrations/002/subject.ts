import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../../column-types.ts'
import type { Index } from '../../indexes.ts'
import type { NewColumn } from '../../new-columns.ts'
import type { Schema } from '../../schema.ts'

type Change = (db: Kysely<unknown>, types: ColumnTypes) => Promise<unknown>

/** What one subject adds to the schema of 0.1.0. */
export type Subject = {
  /** The migration by which builds between 0.1.0 and this version have added it. */
  former?: string
  /** Creates tables and drops indexes. */
  tables?: Change
  /** New columns of the tables of 0.1.0. */
  columns?(types: ColumnTypes): { [Table in keyof Schema]?: NewColumn[] }
  /** Gives the rows that exist other values of new columns than later rows have by default. */
  values?: Change
  /** Brings what its former migration has made into the form that `tables`, `columns` and `values` make. */
  convert?: Change
  indexes?: readonly Index[]
}
