import type { Kysely } from 'kysely'

/** JSON of the settings that a user has chosen, so that a new setting needs no migration. */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('users')
    .addColumn('settings', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.alterTable('users').dropColumn('settings').execute()
}
