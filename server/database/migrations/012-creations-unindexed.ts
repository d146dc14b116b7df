import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import { createIndex, type Index } from '../indexes.ts'

/**
 * The changes of an item, except its creation, so that creating an item writes one index less. It contains all changes
 * that were made before this migration, or since by a server of the previous version: their `previous` is null.
 */
export const indexes: readonly Index[] = [
  {
    name: 'edits_of_item',
    table: 'changes',
    columns: ['user_id', 'item', 'seq', 'previous'],
    where: 'previous is distinct from 0',
  },
]

const allChanges = { name: 'changes_of_item', table: 'changes', columns: ['user_id', 'item', 'seq'] }

/** Until PostgreSQL has built the new index, a query for the changes of an item reads the user's log. */
export async function up(db: Kysely<unknown>, { instant }: ColumnTypes) {
  await db.schema.alterTable('changes').addColumn('previous', instant).execute()
  await db.schema.dropIndex(allChanges.name).execute()
}

/** Loses nothing that the previous version reads. */
export async function down(db: Kysely<unknown>) {
  for (const { name } of indexes) await db.schema.dropIndex(name).ifExists().execute()
  await db.schema.alterTable('changes').dropColumn('previous').execute()
  await createIndex(db, allChanges)
}
