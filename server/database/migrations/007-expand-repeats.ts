import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import { addColumns } from '../new-columns.ts'

/** Adds the rule by which a task repeats, and what belongs to it. `repeat_from` is 1 for `due`. */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  await addColumns(db, types, 'tasks', [
    ['repeat', 'text'],
    ['repeat_from', 'integer', (column) => column.notNull().defaultTo(1)],
    ['repeat_day', 'text'],
    ['series', 'text'],
  ])
}
