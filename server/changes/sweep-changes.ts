import { keptFor } from '#contract/limits.ts'
import type { Database } from '../database/database.ts'
import { countRemoved, rowsPerRemoval } from '../database/removals.ts'
import type { Db } from '../database/schema.ts'
import { closedUsers, giveBack, lockIfOpen } from './account.ts'
import { changeBytes, type Kind, type Kinds } from './item-kind.ts'
import { purge } from './purge.ts'
import { bytesOfValues, noContent } from './removed-values.ts'
import { itemTables } from './stored-items.ts'

/**
 * How many rows one search takes, and from how many it chooses. Several servers sweep at once; in the same order they would
 * wait for the same locks. A search concerns all shards of a distributed database, so it is not made for each row.
 */
const [batch, choices] = [100, 1000]

const someOf = <Row>(rows: Row[]): Row[] =>
  rows
    .map((row) => ({ row, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, batch)
    .map(({ row }) => row)

/** Trims the logs to 30 days, then purges the items that were deleted 30 days ago, until `stop` is aborted. */
export async function sweepChanges(database: Database, kinds: Kinds, now: number, stop: AbortSignal) {
  const before = now - keptFor
  while (!stop.aborted) {
    const due = someOf(await untrimmed(database.read, now).orderBy('trim_at').limit(choices).execute())
    if (due.length === 0) break
    for (const { id } of due) {
      if (stop.aborted) return
      // Another server may have trimmed it since.
      if (await untrimmed(database.read, now).where('id', '=', id).executeTakeFirst())
        await database.write((db) => trimPart(db, id, now), id)
    }
  }
  for (const kind of kinds)
    while (!stop.aborted) {
      const due = someOf(await findDeleted(database.read, kind, before))
      if (due.length === 0) break
      for (const { user_id, id } of due)
        await purge(database, { owner: user_id, kinds: [kind], id }, before, now, stop)
    }
}

const untrimmed = (db: Db, now: number) =>
  db.selectFrom('users').select('id').where('trim_at', '<=', now).where('closed_at', 'is', null)

const findDeleted = (db: Db, { table }: Kind, before: number) =>
  itemTables(db)
    .selectFrom(table)
    .select(['user_id', 'id'])
    .where('deleted_at', '<=', before)
    .where('user_id', 'not in', closedUsers(db))
    .orderBy('deleted_at')
    .limit(choices)
    .execute()

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
    const counted = removed.filter(({ kind }) => kind !== 'start')
    await giveBack(
      db,
      owner,
      counted.reduce((sum, { bytes }) => sum + bytes + changeBytes, 0),
    )
  }
  const hasMore = removed.length === rowsPerRemoval || removed.length < old.length
  const next = hasMore ? now : (oldest[kept]?.at ?? now) + keptFor
  await db.updateTable('users').set({ trim_at: next }).where('id', '=', owner).execute()
}
