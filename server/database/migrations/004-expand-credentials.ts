import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { Index } from '../indexes.ts'
import { addColumns, type NewColumn } from '../new-columns.ts'

/** Credentials with a scope, a name and an expiry; whose name each change has; and accounts that are disabled. */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  await addColumns(db, types, 'sessions', [
    ['scope', 'text', (column) => column.notNull().defaultTo('session')],
    nameColumn('name'),
    ['expires_at', types.instant],
  ])
  await addColumns(db, types, 'changes', [nameColumn('by')])
  await addColumns(db, types, 'versions', [nameColumn('by')])
  await addColumns(db, types, 'notes', [nameColumn('saved_by_name')])
  await addColumns(db, types, 'users', [['disabled_at', types.instant]])
}

const nameColumn = (name: string): NewColumn => [name, 'text', (column) => column.notNull().defaultTo('')]

export const indexes: readonly Index[] = [
  { name: 'sessions_by_expiry', table: 'sessions', columns: ['expires_at'], where: 'expires_at is not null' },
]
