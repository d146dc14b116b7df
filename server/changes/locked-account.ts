import { toInstant } from '#contract/fields.ts'
import { keptFor } from '#contract/limits.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import type { Account } from '../sessions/account-state.ts'
import type { Session } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'
import { changesOf } from './stored-items.ts'

/** Whose data is changed, and by which session: its id, as in `sessions/token.ts`, and its name. */
export type Author = { userId: string; device: string; by: string }

export const authorOf = ({ userId, tokenHash, name }: Session): Author => ({
  userId,
  device: idOf(tokenHash),
  by: name,
})

/** How many items of a kind one account keeps. Without `count`, the column `users.task_count` counts them. */
export type Limit = { max: number; items: string; count?(db: Db, owner: string): Promise<number> }

/**
 * How the totals grow in a transaction. `free`: how many of the tasks need no space. `grows`: whether the items take
 * more bytes than before, and not because of an undo. The log does not count for it.
 */
type Growth = {
  changes: number
  items: ReadonlyMap<{ limit: Limit }, number>
  free: number
  bytes: number
  grows: boolean
}

/**
 * Bytes above the quota for the log and for undone changes. A change that stores no more than before succeeds above the quota, so that a
 * full account can be cleaned up, and it is logged like any other.
 */
const roomAboveQuota = 2 ** 30

/**
 * The maximum bytes that the log of one deletion adds. A deletion always succeeds. A call that also replaces long texts is
 * not only a deletion.
 */
const bytesPerDeletion = 512

type Update = { owner: string; head: string; changes: number; count: number; bytes: number }

/** Adds to the totals of a user whose row is locked. `head`: the id of the newest change. */
export const addToTotals = compiledQuery((db, value: Update) =>
  db
    .updateTable('users')
    .set((row) => ({
      seq: row('seq', '+', value.changes),
      head: value.head,
      task_count: row('task_count', '+', value.count),
      stored_bytes: row('stored_bytes', '+', value.bytes),
    }))
    .where('id', '=', value.owner),
)

/** Updates the totals of a locked account, in the transaction of its changes. Throws a 409 if it has too many items or bytes. */
export async function growAccount(
  db: Db,
  owner: string,
  account: Account,
  head: string,
  { changes, items, free, bytes, grows }: Growth,
  quota: number,
) {
  let count = 0
  for (const [{ limit }, more] of items) {
    if (!limit.count) count += more
    const added = limit.count ? more : more - free
    if (added <= 0) continue
    const stored = limit.count ? await limit.count(db, owner) : account.task_count
    if (stored + added > limit.max)
      throw new HttpError('too-many-items', { items: limit.items, max: limit.max })
  }
  const more = items.values().reduce((sum, each) => sum + each, 0)
  const isDeletion = more < 0 && !grows && bytes <= -more * bytesPerDeletion
  if (!isDeletion && account.stored_bytes + bytes > (grows ? quota : quota + roomAboveQuota))
    throw await overQuota(db, owner, account.stored_bytes, bytes, quota)
  await addToTotals(db, { owner, head, changes, count, bytes })
}

async function overQuota(db: Db, owner: string, stored: number, added: number, max: number) {
  const changes = changesOf(db, owner).select('at').where('kind', '<>', 'start').orderBy('seq').limit(1)
  const oldest = await changes.executeTakeFirst()
  const until = oldest ? toInstant(oldest.at + keptFor).slice(0, 10) : null
  return new HttpError('over-quota', { stored, added, max, until })
}

/** The users whose data waits for its deletion, usually none. */
export const closedUsers = (db: Db) => db.selectFrom('users').select('id').where('closed_at', 'is not', null)

/** Subtracts the bytes of data that was removed for good. */
export async function giveBack(db: Db, owner: string, bytes: number) {
  if (bytes === 0) return
  await db
    .updateTable('users')
    .set((row) => ({ stored_bytes: row('stored_bytes', '-', bytes) }))
    .where('id', '=', owner)
    .execute()
}
