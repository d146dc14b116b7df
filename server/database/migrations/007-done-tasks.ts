import type { Kysely } from 'kysely'
import type { Index } from '../indexes.ts'

/** The order of the list of done tasks. */
export const indexes: readonly Index[] = [
  {
    name: 'tasks_by_completion',
    table: 'tasks',
    columns: ['user_id', 'done_at', 'id'],
    where: 'done_at is not null and deleted_at is null',
  },
]

export async function down(db: Kysely<unknown>) {
  for (const { name } of indexes) await db.schema.dropIndex(name).ifExists().execute()
}
