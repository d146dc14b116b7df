import type { Kysely } from 'kysely'
import type { Index } from '../indexes.ts'

/** The sweep finds expired rows by these, so its cost depends on their number and not on the size of the tables. */
export const indexes: readonly Index[] = [
  { name: 'sessions_by_creation', table: 'sessions', columns: ['created_at'] },
  { name: 'sessions_by_use', table: 'sessions', columns: ['last_used_at'] },
  // Known sites are kept for a month and are most of the rows; all others for an hour.
  { name: 'attempts_of_known_sites', table: 'attempts', columns: ['since'], where: `key like 'known %'` },
  { name: 'attempts_of_others', table: 'attempts', columns: ['since'], where: `key not like 'known %'` },
]

export async function down(db: Kysely<unknown>) {
  for (const { name } of indexes) await db.schema.dropIndex(name).ifExists().execute()
}
