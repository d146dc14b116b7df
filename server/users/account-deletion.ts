import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { endSessions } from '../sessions/session-queries.ts'

/** The maximum number of tasks deleted in one transaction. Other writes wait for one such transaction. */
export const tasksPerDeletion = 500

/**
 * Closes an account whose credentials the transaction has locked. From the commit on, its sessions have ended, nobody can
 * log in or read its data, its name and password hash are removed, and its email can be registered again (the id that
 * replaces it is never an email). `deleteClosedAccounts` deletes its tasks, which may be too many for one transaction.
 */
export async function closeAccount(db: Db, userId: string, now: number) {
  await db
    .updateTable('users')
    .set({ name: '', email: userId, password_hash: '', closed_at: now })
    .where('id', '=', userId)
    .execute()
  await endSessions(db, userId)
}

/** Deletes all data of closed accounts in transactions of limited size, until `stop` is aborted. */
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
  // Fewer rows can also mean that another server has deleted some of these. Without the condition, the foreign key
  // would delete the remaining tasks in this transaction.
  const tasks = db.selectFrom('tasks').select('id').where('user_id', '=', userId)
  await db
    .deleteFrom('users')
    .where('id', '=', userId)
    .where(({ not, exists }) => not(exists(tasks)))
    .execute()
}
