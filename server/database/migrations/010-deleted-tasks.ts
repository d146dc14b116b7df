import type { Kysely } from 'kysely'
import type { Index } from '../indexes.ts'

/** The order of the list of deleted tasks. */
export const indexes: readonly Index[] = [
  {
    name: 'tasks_by_deletion',
    table: 'tasks',
    columns: ['user_id', 'deleted_at', 'id'],
    where: 'deleted_at is not null',
  },
]

export async function down(db: Kysely<unknown>) {
  for (const { name } of indexes) await db.schema.dropIndex(name).ifExists().execute()
}
