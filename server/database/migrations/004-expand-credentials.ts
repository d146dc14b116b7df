import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { Index } from '../indexes.ts'
import { addColumns, type NewColumn } from '../new-columns.ts'

/**
 * Credentials that are no sessions, in a table that 0.1.0 does not read, because it would take each of them for a session; names of
 * sessions and of the authors of changes; and accounts that are disabled.
 */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  const { id, instant, clusteredOptions } = types
  await db.schema
    .createTable('credentials')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('last_used_at', instant)
    .addColumn('expires_at', instant)
    .addColumn('begun_by', 'text')
    .addColumn('percent', 'integer')
    .addPrimaryKeyConstraint('credentials_key', ['user_id', 'token_hash'])
    .modifyEnd(clusteredOptions)
    .execute()
  await addColumns(db, types, 'sessions', [nameColumn('name')])
  await addColumns(db, types, 'changes', [nameColumn('by')])
  await addColumns(db, types, 'versions', [nameColumn('by')])
  await addColumns(db, types, 'notes', [nameColumn('saved_by_name')])
  await addColumns(db, types, 'users', [['disabled_at', instant]])
}

const nameColumn = (name: string): NewColumn => [name, 'text', (column) => column.notNull().defaultTo('')]

export const indexes: readonly Index[] = [
  {
    name: 'credentials_by_expiry',
    table: 'credentials',
    columns: ['expires_at'],
    where: 'expires_at is not null',
  },
]
