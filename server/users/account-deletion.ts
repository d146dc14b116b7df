import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { type Db, tables } from '../database/schema.ts'
import { endSessions } from '../sessions/session-queries.ts'

/** The maximum number of rows deleted in one transaction. Other writes wait for one such transaction. */
export const rowsPerDeletion = 500

/**
 * Closes an account whose credentials the transaction has locked. From the commit on, its sessions have ended, nobody can
 * log in or read its data, its name and password hash are removed, and its email can be registered again.
 * `deleteClosedAccounts` deletes its tasks and its log, which may be too many for one transaction.
 */
export async function closeAccount(db: Db, userId: string, now: number) {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('accounts').where('email', '=', email).where('user_id', '=', userId).execute()
  await db
    .updateTable('users')
    .set({ name: '', email: '', password_hash: '', closed_at: now })
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
  const tasks = await deleteSome(db, 'tasks', userId, rowsPerDeletion)
  const changes = await deleteSome(db, 'changes', userId, rowsPerDeletion - tasks)
  if (tasks + changes === rowsPerDeletion) return
  // Fewer rows can also mean that another server has deleted some of these. Without the conditions, the foreign keys
  // would delete the remaining rows in this transaction.
  const left = (table: Owned) => db.selectFrom(table).select('user_id').where('user_id', '=', userId)
  await db
    .deleteFrom('users')
    .where('id', '=', userId)
    .where(({ not, exists }) => not(exists(left('tasks'))))
    .where(({ not, exists }) => not(exists(left('changes'))))
    .execute()
}

type Owned = 'tasks' | 'changes'

async function deleteSome(db: Db, table: Owned, userId: string, limit: number): Promise<number> {
  if (limit === 0) return 0
  const key = sql.ref(tables[table][1])
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where user_id = ${userId} and ${key} in
      (select ${key} from ${sql.table(table)} where user_id = ${userId} order by ${key} limit ${limit})
  `.execute(db)
  return Number(numAffectedRows)
}
