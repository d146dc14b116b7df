import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { countRemoved, dueAtOnce, rowsPerRemoval, whileFound } from '../database/removals.ts'
import { type Db, longTexts, tables } from '../database/schema.ts'
import { findUser } from '../sessions/account-state.ts'
import { endCredentials } from '../sessions/session-queries.ts'

/**
 * Closes an account whose credentials the transaction has locked. From the commit on, its sessions have ended, nobody can
 * log in or read its data, its name and password hash are removed, and its email can be registered again.
 * `deleteClosedAccounts` deletes its tasks, its notes and its log, which may be too many for one transaction.
 */
export async function closeAccount(db: Db, userId: string, now: number) {
  const { email } = await findUser(db, userId, ['email'])
  await db.deleteFrom('accounts').where('email', '=', email).where('user_id', '=', userId).execute()
  await db
    .updateTable('users')
    .set({ name: '', email: '', password_hash: '', settings: '{}', closed_at: now })
    .where('id', '=', userId)
    .execute()
  await endCredentials(db, userId)
}

/** Deletes all data of closed accounts in transactions of limited size, until `stop` is aborted. */
export async function deleteClosedAccounts({ read, write }: Database, stop: AbortSignal) {
  const deleteAll = async ({ id }: { id: string }) => {
    while (!stop.aborted) if (await write((db) => deletePart(db, id), id)) break
  }
  await whileFound(() => findClosedAccounts(read), deleteAll, stop)
}

const findClosedAccounts = (db: Db) =>
  db
    .selectFrom('users')
    .select('id')
    .where('closed_at', 'is not', null)
    .orderBy('closed_at')
    .limit(dueAtOnce)
    .execute()

/** The tables whose rows of one user may be too many for one transaction, and their columns of the longest texts. */
const owned = { ...longTexts, guesses: 'key', reminder_jobs: 'reminder', push_messages: 'service' } as const
type Owned = keyof typeof owned
const ownedTables = Object.keys(owned) as Owned[]

/** Returns whether nothing of the account is left to delete, unless another server has taken part. */
async function deletePart(db: Db, userId: string): Promise<boolean> {
  let left = rowsPerRemoval
  for (const table of ownedTables) {
    const { count, isLast } = await deleteSome(db, table, userId, left)
    if (!isLast) return false
    left -= count
  }
  // Another server may have deleted some of these rows, so that more are left. Without the conditions, the foreign keys
  // would delete them in this transaction.
  let account = db.deleteFrom('users').where('id', '=', userId)
  for (const table of ownedTables) {
    const rows = db.selectFrom(table).select('user_id').where('user_id', '=', userId)
    account = account.where(({ not, exists }) => not(exists(rows)))
  }
  await account.execute()
  return true
}

/** Deletes at most `limit` rows, as many as one transaction removes. Returns how many, and whether none is left. */
async function deleteSome(db: Db, table: Owned, userId: string, limit: number) {
  const [key, text] = [sql.ref(tables[table][1]), sql.ref(owned[table])]
  const { rows: found } = await sql<{ key: string | number; bytes: number | null }>`
    select ${key} as key, octet_length(${text}) as bytes from ${sql.table(table)}
    where user_id = ${userId} order by ${key} limit ${limit}
  `.execute(db)
  const removed = found.slice(0, countRemoved(found))
  if (removed.length > 0)
    await sql`
      delete from ${sql.table(table)}
      where user_id = ${userId} and ${key} in (${sql.join(removed.map((row) => row.key))})
    `.execute(db)
  return { count: removed.length, isLast: found.length < limit && removed.length === found.length }
}
