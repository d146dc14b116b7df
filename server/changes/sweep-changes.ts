import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { inKeyRanges, type KeyRange } from '../database/key-ranges.ts'
import type { Db } from '../database/schema.ts'
import { growAccount, lockAccount } from './account.ts'
import { insertChange } from './change-log.ts'
import { bytesOf, changeBytes } from './task-row.ts'

const day = 86_400_000

/** The time in milliseconds for which deleted tasks can be restored and the log is kept. */
export const keptFor = 30 * day

/** The maximum number of rows that one transaction changes or deletes. */
const rowsPerSweep = 500

/** Purges the tasks that were deleted 30 days ago, then deletes changes older than that, until `stop` is aborted. */
export async function sweepChanges(database: Database, now: number, stop: AbortSignal) {
  const before = now - keptFor
  while (!stop.aborted) {
    const task = await database.read
      .selectFrom('tasks')
      .innerJoin('users', 'users.id', 'tasks.user_id')
      .select(['tasks.user_id', 'tasks.id'])
      .where('tasks.deleted_at', '<=', before)
      .where('users.closed_at', 'is', null)
      .orderBy('tasks.deleted_at')
      .limit(1)
      .executeTakeFirst()
    if (!task) break
    const { user_id: owner, id } = task
    let more = true
    while (more && !stop.aborted)
      more = await database.write((db) => purgePart(db, owner, id, before, now), owner)
  }
  const owners: string[] = []
  await inKeyRanges(database, 'users', rowsPerSweep, stop, async (db, range) => {
    owners.push(...(await findLongLogs(db, range, before)))
  })
  for (const owner of owners)
    while (!stop.aborted && (await database.write((db) => trimPart(db, owner, before), owner)));
}

/**
 * Removes the old values of a deleted task from the log, so that no secret stays in it, and then the task itself.
 * Returns whether there is more to remove.
 */
export async function purgePart(
  db: Db,
  owner: string,
  id: string,
  before: number,
  now: number,
): Promise<boolean> {
  await lockAccount(db, owner)
  const task = await db
    .selectFrom('tasks')
    .select(['title', 'body'])
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .where('deleted_at', '<=', before)
    .executeTakeFirst()
  // The task was restored in the meantime, or purged by another server.
  if (!task) return false
  const old = await db
    .selectFrom('changes')
    .select(['seq', ({ fn }) => fn<number>('octet_length', ['before']).as('bytes')])
    .where('user_id', '=', owner)
    .where('item', '=', id)
    .where('before', 'is not', null)
    .limit(rowsPerSweep)
    .execute()
  if (old.length > 0)
    await db
      .updateTable('changes')
      .set({ before: null })
      .where('user_id', '=', owner)
      .where(
        'seq',
        'in',
        old.map(({ seq }) => seq),
      )
      .execute()
  const freed = old.reduce((sum, { bytes }) => sum + bytes + changeBytes, 0)
  if (old.length === rowsPerSweep) {
    await giveBack(db, owner, freed)
    return true
  }
  const head = randomUUID()
  const growth = { changes: 1, tasks: 0, bytes: -freed - bytesOf(task), grows: false }
  const seq = await growAccount(db, owner, head, growth, Number.MAX_SAFE_INTEGER)
  await db.deleteFrom('tasks').where('user_id', '=', owner).where('id', '=', id).execute()
  await insertChange(db, {
    ...{ user_id: owner, seq, id: head, at: now, device: '', kind: 'purge', item: id },
    ...{ mutation: null, group_id: null, undoes: null, fields: '', before: null },
  })
  return false
}

/** Returns the users in the range whose oldest change was made before that instant and is not their newest. */
async function findLongLogs(db: Db, range: KeyRange, before: number) {
  const oldest = sql`(select seq from changes where user_id = users.id order by seq limit 1)`
  const { rows } = await sql<{ id: string }>`
    select id from users where ${range} and closed_at is null and seq > ${oldest}
      and (select at from changes where user_id = users.id and seq = ${oldest}) <= ${before}
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes the oldest changes of the log that were made before that instant, except the newest. Returns whether there may be more. */
export async function trimPart(db: Db, owner: string, before: number): Promise<boolean> {
  const { seq } = await lockAccount(db, owner)
  const oldest = await db
    .selectFrom('changes')
    .select(['seq', 'at', ({ fn }) => fn<number | null>('octet_length', ['before']).as('bytes')])
    .where('user_id', '=', owner)
    .where('seq', '<', seq)
    .orderBy('seq')
    .limit(rowsPerSweep)
    .execute()
  // The clocks of servers may differ, and the log must not have gaps: it is cut before the first change that is kept.
  const kept = oldest.findIndex(({ at }) => at > before)
  const removed = kept < 0 ? oldest : oldest.slice(0, kept)
  const last = removed.at(-1)
  if (!last) return false
  await db.deleteFrom('changes').where('user_id', '=', owner).where('seq', '<=', last.seq).execute()
  const freed = removed.reduce((sum, { bytes }) => sum + (bytes === null ? 0 : bytes + changeBytes), 0)
  await giveBack(db, owner, freed)
  return removed.length === rowsPerSweep
}

async function giveBack(db: Db, owner: string, bytes: number) {
  await db
    .updateTable('users')
    .set((row) => ({ stored_bytes: row('stored_bytes', '-', bytes) }))
    .where('id', '=', owner)
    .execute()
}
