import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { Index } from '../indexes.ts'

/** Credentials with a scope, a name and an expiry; whose name each change has; and accounts that are disabled. */
export async function up(db: Kysely<unknown>, { instant }: ColumnTypes) {
  const { schema } = db
  await schema
    .alterTable('sessions')
    .addColumn('scope', 'text', (column) => column.notNull().defaultTo('session'))
    .execute()
  for (const [table, name] of names)
    await schema
      .alterTable(table)
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await schema.alterTable('sessions').addColumn('expires_at', instant).execute()
  await schema.alterTable('users').addColumn('disabled_at', instant).execute()
}

const names = [
  ['sessions', 'name'],
  ['changes', 'by'],
  ['versions', 'by'],
  ['notes', 'saved_by_name'],
] as const

export const indexes: readonly Index[] = [
  { name: 'sessions_by_expiry', table: 'sessions', columns: ['expires_at'], where: 'expires_at is not null' },
]
