import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { Index } from '../indexes.ts'
import { addColumns } from '../new-columns.ts'

/** By which rules a change was made. The rows that exist are followed by a migration, later ones without it are of servers of 0.1.0. */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  const existing = types.engine === 'postgres' ? 1 : 0
  await addColumns(db, types, 'changes', [
    ['rules', 'integer', (column) => column.notNull().defaultTo(existing)],
  ])
  // SQLite cannot change a default, and PostgreSQL would rewrite all rows.
  if (types.engine === 'postgres') await sql`alter table changes alter column rules set default 0`.execute(db)
  else await sql`update changes set rules = 1`.execute(db)
}

export const indexes: readonly Index[] = [
  { name: 'changes_of_earlier_servers', table: 'changes', columns: ['user_id', 'seq'], where: 'rules = 0' },
]
