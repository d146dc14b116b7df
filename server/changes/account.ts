import { notesPerUser, tasksPerUser } from '#contract/limits.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { accountGone, conflict } from '../errors.ts'
import type { Session } from '../sessions/session-queries.ts'

/** The user whose data is changed and the session that changes it: the first 32 hex digits of its token's hash. */
export type Author = { userId: string; device: string }

const deviceLength = 32

export const authorOf = ({ userId, tokenHash }: Session): Author => ({
  userId,
  device: tokenHash.slice(0, deviceLength),
})

/** The totals of a user's data: the number and the id of the newest change, the number of tasks, the stored bytes. */
export type Account = { seq: number; head: string; task_count: number; stored_bytes: number }

/** What a transaction adds to the totals. `grows`: whether the items, without the log, take more bytes than before. */
export type Growth = { changes: number; tasks: number; notes: number; bytes: number; grows: boolean }

/**
 * The bytes by which old values may exceed the quota. A change that stores no more than before succeeds above the quota,
 * so that a full account can be cleaned up, and its old values are logged like any others.
 */
const roomForOldValues = 2 ** 30

/** The maximum value of the column. */
const maxInteger = 2 ** 31 - 1

const maximaOf = ({ tasks, bytes, grows }: Growth, quota: number) => ({
  maxTasks: tasks > 0 ? tasksPerUser - tasks : maxInteger,
  maxBytes: (grows ? quota : quota + roomForOldValues) - bytes,
})

/**
 * The maximum bytes that the log of one deletion adds. A deletion always succeeds. A call that also replaces long texts is
 * not only a deletion.
 */
const bytesPerDeletion = 512
const isDeletion = ({ tasks, notes, bytes, grows }: Growth) =>
  tasks + notes < 0 && !grows && bytes <= -(tasks + notes) * bytesPerDeletion

const noMaxima = { maxTasks: maxInteger, maxBytes: Number.MAX_SAFE_INTEGER }

type Update = {
  owner: string
  changes: number
  head: string
  tasks: number
  bytes: number
  maxTasks: number
  maxBytes: number
}

const updateAccount = compiledQuery((db, value: Update) =>
  db
    .updateTable('users')
    .set((row) => ({
      seq: row('seq', '+', value.changes),
      head: value.head,
      task_count: row('task_count', '+', value.tasks),
      stored_bytes: row('stored_bytes', '+', value.bytes),
    }))
    .where('id', '=', value.owner)
    .where('closed_at', 'is', null)
    .where('task_count', '<=', value.maxTasks)
    .where('stored_bytes', '<=', value.maxBytes)
    .returning('seq'),
)

/**
 * Updates the totals of a user, in the transaction of every change. The row stays locked until the transaction ends.
 * Returns the number of the newest change; its id becomes `head`. Throws a 409 if the user has too many tasks or bytes.
 */
export async function growAccount(
  db: Db,
  owner: string,
  head: string,
  growth: Growth,
  quota: number,
): Promise<number> {
  const { changes, tasks, bytes } = growth
  const maxima = isDeletion(growth) ? noMaxima : maximaOf(growth, quota)
  const { rows } = await updateAccount(db, { owner, changes, head, tasks, bytes, ...maxima })
  if (rows[0]) return rows[0].seq
  const account = await db
    .selectFrom('users')
    .select(['task_count', 'stored_bytes'])
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  // The account may have been deleted after the token was checked.
  if (!account) throw accountGone()
  throw account.task_count > maxima.maxTasks ? tooManyTasks() : overQuota(account.stored_bytes, bytes, quota)
}

const touchAccount = compiledQuery((db, value: { owner: string }) =>
  db
    .updateTable('users')
    .set((row) => ({ seq: row.ref('seq') }))
    .where('id', '=', value.owner)
    .where('closed_at', 'is', null)
    .returning(['seq', 'head', 'task_count', 'stored_bytes']),
)

/** Locks the user's row until the transaction ends, so that nothing else changes the user's data, and returns its totals. */
export async function lockAccount(db: Db, owner: string): Promise<Account> {
  const account = await lockIfOpen(db, owner)
  if (!account) throw accountGone()
  return account
}

/** Like `lockAccount`, but returns undefined if the account was closed. */
export async function lockIfOpen(db: Db, owner: string): Promise<Account | undefined> {
  // An update that changes nothing is the row lock that all engines support.
  const { rows } = await touchAccount(db, { owner })
  return rows[0]
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

export const tooManyNotes = () =>
  conflict(`You have ${inDigits(notesPerUser)} notes, as many as one account keeps. Delete some first.`)

const tooManyTasks = () =>
  conflict(`You have ${inDigits(tasksPerUser)} tasks, as many as one account keeps. Delete some first.`)

const overQuota = (stored: number, more: number, quota: number) =>
  conflict(
    `Your tasks and notes take up ${inDigits(stored)} bytes and this would add ${inDigits(more)}; one account stores at most ` +
      `${inDigits(quota)}. What is deleted and old texts of tasks count for 30 days; old texts of notes count too.`,
  )

const inDigits = (count: number) => count.toLocaleString('en')
