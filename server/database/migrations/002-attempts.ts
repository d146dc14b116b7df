import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

export async function up(db: Kysely<unknown>, { instant, tableOptions }: ColumnTypes) {
  await db.schema
    .createTable('attempts')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('since', instant, (column) => column.notNull())
    .addColumn('last_at', instant, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute()
}

export async function down(db: Kysely<unknown>) {
  await db.schema.dropTable('attempts').execute()
}
