import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { endSessions } from '../sessions/session-queries.ts'

/** Tasks deleted in one transaction: what other requests wait for while a large account is deleted. */
export const tasksPerDeletion = 500

/**
 * Closes an account whose credentials the transaction has locked. From its commit on nobody can sign in to it or reach
 * what it holds, its name and password are gone and its email is free: an id is never an email. What it holds may be
 * too much for one transaction; `deleteClosedAccounts` deletes that.
 */
export async function closeAccount(db: Db, userId: string, now: number) {
  await db
    .updateTable('users')
    .set({ name: '', email: userId, password_hash: '', closed_at: now })
    .where('id', '=', userId)
    .execute()
  await endSessions(db, userId)
}

/** Deletes everything of every closed account, one bounded transaction after the other, until told to stop. */
export async function deleteClosedAccounts({ read, write }: Database, stop: AbortSignal) {
  while (!stop.aborted) {
    const account = await findClosedAccount(read)
    if (!account) return
    await write((db) => deletePart(db, account.id))
  }
}

const findClosedAccount = (db: Db) =>
  db
    .selectFrom('users')
    .select('id')
    .where('closed_at', 'is not', null)
    .orderBy('closed_at')
    .limit(1)
    .executeTakeFirst()

async function deletePart(db: Db, userId: string) {
  const next = db
    .selectFrom('tasks')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(tasksPerDeletion)
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('user_id', '=', userId)
    .where('id', 'in', next)
    .executeTakeFirst()
  if (numDeletedRows === BigInt(tasksPerDeletion)) return
  // Fewer may only mean that another server has just deleted some of these: without the condition, deleting the user
  // would delete all the others in this transaction.
  const tasks = db.selectFrom('tasks').select('id').where('user_id', '=', userId)
  await db
    .deleteFrom('users')
    .where('id', '=', userId)
    .where(({ not, exists }) => not(exists(tasks)))
    .execute()
}
