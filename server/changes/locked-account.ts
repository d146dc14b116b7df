import { toInstant } from '#contract/fields.ts'
import { keptFor } from '#contract/limits.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { type Account, lockUser } from '../sessions/account-state.ts'
import type { Session } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'
import { changesOf } from './stored-items.ts'

/**
 * The user whose data is changed, and the session that changes it. `device` is the first 32 hex digits of the hash of the
 * session's token, and `by` is the session's name.
 */
export type Author = { userId: string; device: string; by: string }

export const authorOf = ({ userId, tokenHash, name }: Session): Author => ({
  userId,
  device: idOf(tokenHash),
  by: name,
})

/** How many items of a kind one account keeps. Without `fits`, the column `users.task_count` counts them. */
export type Limit = { max: number; error(): HttpError; fits?(db: Db, owner: string): Promise<boolean> }
type Limited = { limit: Limit }

/**
 * How the totals grow in a transaction. `free`: how many of the items need no space. `grows`: whether the items take
 * more bytes than before, and not because of an undo. The log does not count for it.
 */
type Growth = {
  changes: number
  items: ReadonlyMap<Limited, number>
  free?: number
  bytes: number
  grows: boolean
}

/**
 * Bytes above the quota for the log and for undone changes. A change that stores no more than before succeeds above the quota, so that a
 * full account can be cleaned up, and it is logged like any other.
 */
const roomAboveQuota = 2 ** 30

const maxInteger = 2 ** 31 - 1

const maximaOf = ({ items, free = 0, bytes, grows }: Growth, quota: number) => {
  const [kind, more] = countedIn(items)
  const maxCount = kind && more > free ? kind.limit.max - more + free : maxInteger
  return { maxCount, maxBytes: (grows ? quota : quota + roomAboveQuota) - bytes }
}

/** The kind whose items the column counts, because most writes create one, and how many more of them there are. */
function countedIn(items: Growth['items']): [kind: Limited | undefined, more: number] {
  for (const [kind, more] of items) if (!kind.limit.fits) return [kind, more]
  return [undefined, 0]
}

/**
 * The maximum bytes that the log of one deletion adds. A deletion always succeeds. A call that also replaces long texts is
 * not only a deletion.
 */
const bytesPerDeletion = 512
function isDeletion({ items, bytes, grows }: Growth) {
  const more = items.values().reduce((sum, each) => sum + each, 0)
  return more < 0 && !grows && bytes <= -more * bytesPerDeletion
}

const noMaxima = { maxCount: maxInteger, maxBytes: Number.MAX_SAFE_INTEGER }

type Update = {
  owner: string
  changes: number
  head: string
  count: number
  bytes: number
  maxCount: number
  maxBytes: number
}

const updateAccount = compiledQuery((db, value: Update) =>
  db
    .updateTable('users')
    .set((row) => ({
      seq: row('seq', '+', value.changes),
      head: value.head,
      task_count: row('task_count', '+', value.count),
      stored_bytes: row('stored_bytes', '+', value.bytes),
    }))
    .where('id', '=', value.owner)
    .where('closed_at', 'is', null)
    .where('task_count', '<=', value.maxCount)
    .where('stored_bytes', '<=', value.maxBytes)
    .returning('seq'),
)

/**
 * Updates the totals of a user, in the transaction of every change. The row stays locked until the transaction ends.
 * Returns the number of the newest change; its id becomes `head`. Throws a 409 if the user has too many items or bytes.
 */
export async function growAccount(
  db: Db,
  owner: string,
  head: string,
  growth: Growth,
  quota: number,
): Promise<number> {
  const { changes, bytes } = growth
  const [counted, count] = countedIn(growth.items)
  const maxima = isDeletion(growth) ? noMaxima : maximaOf(growth, quota)
  const { rows } = await updateAccount(db, { owner, changes, head, count, bytes, ...maxima })
  if (rows[0]) return rows[0].seq
  const account = await db
    .selectFrom('users')
    .select(['task_count', 'stored_bytes'])
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  // The account may have been deleted after the token was checked.
  if (!account) throw new HttpError('account-gone')
  if (counted && account.task_count > maxima.maxCount) throw counted.limit.error()
  throw overQuota(account.stored_bytes, bytes, quota, await findOldest(db, owner))
}

const findOldest = (db: Db, owner: string) =>
  changesOf(db, owner).select('at').where('kind', '<>', 'start').orderBy('seq').limit(1).executeTakeFirst()

export async function lockAccount(db: Db, owner: string): Promise<Account> {
  const account = await lockUser(db, owner)
  if (!account) throw new HttpError('account-gone')
  return account
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

/** The error for an owner of as many items, such as `tasks`, as one account keeps. */
export const tooMany = (max: number, items: string) => new HttpError('too-many-items', { items, max })

const overQuota = (stored: number, added: number, quota: number, oldest?: { at: number }) =>
  new HttpError('over-quota', {
    stored,
    added,
    max: quota,
    until: oldest ? toInstant(oldest.at + keptFor).slice(0, 10) : null,
  })
