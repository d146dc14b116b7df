import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { keptFor } from '#contract/limits.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { growAccount, lockIfOpen } from './account.ts'
import { insertChange } from './change-log.ts'
import { bytesOf, changeBytes } from './task-row.ts'

/** The maximum number of rows that one transaction changes or deletes. */
const rowsPerSweep = 500

/** Trims the logs to 30 days, then purges the tasks that were deleted 30 days ago, until `stop` is aborted. */
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
    .limit(rowsPerSweep)
    .execute()
  // The clocks of servers may differ, and the log must not have gaps: it is cut before the first change that is kept.
  const kept = oldest.findIndex(({ at, kind }) => at > now - keptFor && kind !== 'start')
  const removed = kept < 0 ? oldest : oldest.slice(0, kept)
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
  const hasMore = removed.length === rowsPerSweep
  const next = hasMore ? now : (oldest[kept]?.at ?? now) + keptFor
  await db.updateTable('users').set({ trim_at: next }).where('id', '=', owner).execute()
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
