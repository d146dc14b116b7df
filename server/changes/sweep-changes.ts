import { keptFor } from '#contract/limits.ts'
import type { Database } from '../database/database.ts'
import { countRemoved, rowsPerRemoval } from '../database/removals.ts'
import type { Db } from '../database/schema.ts'
import { closedUsers, giveBack, lockIfOpen } from './account.ts'
import type { Kind } from './item-kind.ts'
import { allKinds } from './item-kinds.ts'
import { purge } from './purge.ts'
import { bytesFreed, bytesOfValues, noContent } from './removed-values.ts'

/** Trims the logs to 30 days, then purges the items that were deleted 30 days ago, until `stop` is aborted. */
export async function sweepChanges(database: Database, now: number, stop: AbortSignal) {
  const before = now - keptFor
  while (!stop.aborted) {
    const user = await database.read
      .selectFrom('users')
      .select('id')
      .where('trim_at', '<=', now)
      .where('closed_at', 'is', null)
      .orderBy('trim_at')
      .limit(1)
      .executeTakeFirst()
    if (!user) break
    await database.write((db) => trimPart(db, user.id, now), user.id)
  }
  for (const kind of allKinds)
    while (!stop.aborted) {
      const item = await findDeleted(database.read, kind, before)
      if (!item) break
      await purge(database, { owner: item.user_id, kinds: [kind], id: item.id }, before, now, stop)
    }
}

const findDeleted = (db: Db, { table }: Kind, before: number) =>
  db
    .selectFrom(table)
    .select(['user_id', 'id'])
    .where('deleted_at', '<=', before)
    .where('user_id', 'not in', closedUsers(db))
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst()

/**
 * Deletes the oldest changes of the log, those that were made 30 days ago. The log then begins where the newest of them was,
 * without its values: a client that has read the log since that instant knows this position.
 */
async function trimPart(db: Db, owner: string, now: number) {
  if (!(await lockIfOpen(db, owner))) return
  const oldest = await db
    .selectFrom('changes')
    .select(['seq', 'at', 'kind', bytesOfValues])
    .where('user_id', '=', owner)
    .orderBy('seq')
    .limit(rowsPerRemoval)
    .execute()
  // The clocks of servers may differ, and the log must not have gaps: it is cut before the first change that is kept.
  const kept = oldest.findIndex(({ at, kind }) => at > now - keptFor && kind !== 'start')
  const old = kept < 0 ? oldest : oldest.slice(0, kept)
  const removed = old.slice(0, countRemoved(old))
  const last = removed.at(-1)
  if (last && last.kind !== 'start') {
    await db.deleteFrom('changes').where('user_id', '=', owner).where('seq', '<', last.seq).execute()
    await db
      .updateTable('changes')
      .set({ kind: 'start', device: '', ...noContent })
      .where('user_id', '=', owner)
      .where('seq', '=', last.seq)
      .execute()
    await giveBack(db, owner, bytesFreed(removed))
  }
  const hasMore = removed.length === rowsPerRemoval || removed.length < old.length
  const next = hasMore ? now : (oldest[kept]?.at ?? now) + keptFor
  await db.updateTable('users').set({ trim_at: next }).where('id', '=', owner).execute()
}
