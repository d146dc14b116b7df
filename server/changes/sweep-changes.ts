import { keptFor, rowBytes } from '#contract/limits.ts'
import type { Database } from '../database/database.ts'
import { countRemoved, dueAtOnce, rowsPerRemoval, someOf } from '../database/removals.ts'
import type { Db } from '../database/schema.ts'
import { lockUser } from '../sessions/account-state.ts'
import type { Kind, Kinds } from './item-kind.ts'
import { closedUsers, giveBack } from './locked-account.ts'
import { asEvent, bytesOfValues, noContent } from './log-rows.ts'
import { purge } from './purge-items.ts'
import { changesOf, itemTables } from './stored-items.ts'

/** Trims the logs to 30 days, then purges the items that were deleted 30 days ago, until `stop` is aborted. */
export async function sweepChanges(database: Database, kinds: Kinds, now: number, stop: AbortSignal) {
  const before = now - keptFor
  while (!stop.aborted) {
    const due = someOf(await findUntrimmed(database.read, now))
    if (due.length === 0) break
    for (const { id } of due) if (!stop.aborted) await database.write((db) => trimPart(db, id, now), id)
  }
  for (const kind of kinds)
    while (!stop.aborted) {
      const due = someOf(await findDeleted(database.read, kind, before))
      if (due.length === 0) break
      for (const { user_id, id } of due)
        await purge(
          database,
          { author: { userId: user_id, device: '', by: '' }, kinds: [kind], id },
          before,
          now,
          stop,
        )
    }
}

const findUntrimmed = (db: Db, now: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('trim_at', '<=', now)
    .where('closed_at', 'is', null)
    .orderBy('trim_at')
    .limit(dueAtOnce)
    .execute()

const findDeleted = (db: Db, { table }: Kind, before: number) =>
  itemTables(db)
    .selectFrom(table)
    .select(['user_id', 'id'])
    .where('deleted_at', '<=', before)
    .where('user_id', 'not in', closedUsers(db))
    .orderBy('deleted_at')
    .limit(dueAtOnce)
    .execute()

/**
 * Deletes the oldest changes of the log, those that were made 30 days ago. The log then begins where the newest of them was,
 * without its values: a client that has read the log since that instant knows this position.
 */
async function trimPart(db: Db, owner: string, now: number) {
  if (!(await lockUser(db, owner))) return
  const oldest = await changesOf(db, owner)
    .select(['seq', 'at', 'kind', bytesOfValues])
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
      .set({ ...asEvent('start'), device: '', by: '', ...noContent })
      .where('user_id', '=', owner)
      .where('seq', '=', last.seq)
      .execute()
    const counted = removed.filter(({ kind }) => kind !== 'start')
    await giveBack(
      db,
      owner,
      counted.reduce((sum, { bytes }) => sum + bytes + rowBytes, 0),
    )
  }
  const hasMore = removed.length === rowsPerRemoval || removed.length < old.length
  const next = hasMore ? now : (oldest[kept]?.at ?? now) + keptFor
  await db.updateTable('users').set({ trim_at: next }).where('id', '=', owner).execute()
}
