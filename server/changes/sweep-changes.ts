import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { inKeyRanges, type KeyRange } from '../database/key-ranges.ts'
import type { Db } from '../database/schema.ts'
import { growAccount, lockIfOpen } from './account.ts'
import { insertChange } from './change-log.ts'
import { bytesOf, changeBytes } from './task-row.ts'

const day = 86_400_000

/** The time in milliseconds for which deleted tasks can be restored and the log is kept. */
export const keptFor = 30 * day

/** The maximum number of rows that one transaction changes or deletes. */
const rowsPerSweep = 500

/** Trims the logs to 30 days, then purges the tasks that were deleted 30 days ago, until `stop` is aborted. */
export async function sweepChanges(database: Database, now: number, stop: AbortSignal) {
  const before = now - keptFor
  const owners: string[] = []
  await inKeyRanges(database, 'users', rowsPerSweep, stop, async (db, range) => {
    owners.push(...(await findLongLogs(db, range, before)))
  })
  for (const owner of owners)
    while (!stop.aborted && (await database.write((db) => trimPart(db, owner, before), owner)));
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
    let behind: number | undefined = -1
    while (behind !== undefined && !stop.aborted) {
      const last: number = behind
      behind = await database.write((db) => purgePart(db, { owner, id, behind: last }, before, now), owner)
    }
  }
}

/**
 * Removes the old values of a deleted task from its changes after number `behind`, so that no secret stays in the log,
 * and then the task itself. If there is more to remove, returns the number to continue from. A task that is restored
 * between two parts has only lost its older history.
 */
export async function purgePart(
  db: Db,
  { owner, id, behind }: { owner: string; id: string; behind: number },
  before: number,
  now: number,
): Promise<number | undefined> {
  if (!(await lockIfOpen(db, owner))) return
  const task = await db
    .selectFrom('tasks')
    .select(['title', 'body'])
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .where('deleted_at', '<=', before)
    .executeTakeFirst()
  // The task was restored in the meantime, or purged by another server.
  if (!task) return
  // A subquery, for the same reason as in `findChanges`.
  const numbers = db
    .selectFrom('changes')
    .select('seq')
    .where('user_id', '=', owner)
    .where('item', '=', id)
    .where('seq', '>', behind)
    .orderBy('seq')
    .limit(rowsPerSweep)
  const old = await db
    .selectFrom('changes')
    .select(['seq', bytesOfValues])
    .where('user_id', '=', owner)
    .where('seq', 'in', numbers)
    .orderBy('seq')
    .execute()
  if (old.length > 0)
    await db
      .updateTable('changes')
      .set({ kind: 'blank', before: null })
      .where('user_id', '=', owner)
      .where('kind', '=', 'task')
      .where(
        'seq',
        'in',
        old.map(({ seq }) => seq),
      )
      .execute()
  const freed = bytesFreed(old)
  if (old.length === rowsPerSweep) {
    await giveBack(db, owner, freed)
    return old.at(-1)?.seq
  }
  const head = randomUUID()
  const growth = { changes: 1, tasks: 0, bytes: -freed - bytesOf(task), grows: false }
  const seq = await growAccount(db, owner, head, growth, Number.MAX_SAFE_INTEGER)
  await db.deleteFrom('tasks').where('user_id', '=', owner).where('id', '=', id).execute()
  await insertChange(db, {
    ...{ user_id: owner, seq, id: head, at: now, device: '', kind: 'purge', ...noContent },
    item: id,
  })
}

/** Returns the users in the range whose log contains changes that were made before that instant. */
async function findLongLogs(db: Db, range: KeyRange, before: number) {
  const { rows } = await sql<{ id: string }>`
    select id from users where ${range} and closed_at is null and exists (
      select 1 from (select kind, at from changes where user_id = users.id order by seq limit 2) as oldest
      where kind <> 'start' and at <= ${before}
    )
  `.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the oldest changes of the log, those that were made before that instant. The log then begins where the newest of
 * them was, without its values: a client that has read the log since that instant knows this position. Returns whether
 * there may be more to delete.
 */
export async function trimPart(db: Db, owner: string, before: number): Promise<boolean> {
  if (!(await lockIfOpen(db, owner))) return false
  const oldest = await db
    .selectFrom('changes')
    .select(['seq', 'at', 'kind', bytesOfValues])
    .where('user_id', '=', owner)
    .orderBy('seq')
    .limit(rowsPerSweep)
    .execute()
  // The clocks of servers may differ, and the log must not have gaps: it is cut before the first change that is kept.
  const kept = oldest.findIndex(({ at }) => at > before)
  const removed = kept < 0 ? oldest : oldest.slice(0, kept)
  const last = removed.at(-1)
  if (!last || last.kind === 'start') return false
  await db.deleteFrom('changes').where('user_id', '=', owner).where('seq', '<', last.seq).execute()
  await db
    .updateTable('changes')
    .set({ kind: 'start', device: '', ...noContent })
    .where('user_id', '=', owner)
    .where('seq', '=', last.seq)
    .execute()
  await giveBack(db, owner, bytesFreed(removed))
  return removed.length === rowsPerSweep
}

const noContent = { item: null, mutation: null, group_id: null, undoes: null, fields: '', before: null }

const bytesOfValues = sql<number | null>`octet_length("before")`.as('bytes')

/** The bytes of removed changes that counted towards their owner's `stored_bytes`. */
const bytesFreed = (removed: { bytes: number | null }[]) =>
  removed.reduce((sum, { bytes }) => sum + (bytes === null ? 0 : bytes + changeBytes), 0)

async function giveBack(db: Db, owner: string, bytes: number) {
  await db
    .updateTable('users')
    .set((row) => ({ stored_bytes: row('stored_bytes', '-', bytes) }))
    .where('id', '=', owner)
    .execute()
}
