import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../../column-types.ts'
import type { NewColumn } from '../../new-columns.ts'
import type { Subject } from './subject.ts'

const nameColumn = (name: string): NewColumn => [name, 'text', (column) => column.notNull().defaultTo('')]

const createCredentials = (db: Kysely<unknown>, { id, instant, clusteredOptions }: ColumnTypes) =>
  db.schema
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

/**
 * Credentials that are no sessions, in a table that 0.1.0 does not read, because it would take each of them for a session; names of
 * sessions and of the authors of changes; and accounts that are disabled.
 */
export const credentials: Subject = {
  former: '004-expand-credentials',
  tables: createCredentials,
  columns: ({ instant }) => ({
    sessions: [nameColumn('name')],
    changes: [nameColumn('by')],
    versions: [nameColumn('by')],
    notes: [nameColumn('saved_by_name')],
    users: [['disabled_at', instant]],
  }),
  async convert(db, types) {
    await createCredentials(db, types)
    // An export lives for a minute.
    await sql`
      insert into credentials (user_id, token_hash, scope, name, created_at, last_used_at, expires_at)
      select user_id, token_hash, scope, name, created_at,
        case when last_used_at = created_at then null else last_used_at end, expires_at
      from sessions where scope not in ('session', 'export')
    `.execute(db)
    await sql`delete from sessions where scope <> 'session'`.execute(db)
    await db.schema.dropIndex('sessions_by_expiry').execute()
    await db.schema.alterTable('sessions').dropColumn('scope').execute()
    await db.schema.alterTable('sessions').dropColumn('expires_at').execute()
  },
  indexes: [
    {
      name: 'credentials_by_expiry',
      table: 'credentials',
      columns: ['expires_at'],
      where: 'expires_at is not null',
    },
  ],
}
