import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** The index holds the few accounts that are being deleted, so that looking for one does not read all users. */
export async function up(db: Kysely<unknown>, { instant }: ColumnTypes) {
  await db.schema.alterTable('users').addColumn('closed_at', instant).execute()
  await db.schema
    .createIndex('closed_users')
    .on('users')
    .column('closed_at')
    .where(sql.ref('closed_at'), 'is not', null)
    .execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropIndex('closed_users').execute()
  await db.schema.alterTable('users').dropColumn('closed_at').execute()
}
