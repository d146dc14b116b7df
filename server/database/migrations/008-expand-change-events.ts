import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import { addColumns } from '../new-columns.ts'

/** The event that a row of the log is. Servers of the previous version read and write it in `kind` alone. */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  await addColumns(db, types, 'changes', [['event', 'text']])
}
