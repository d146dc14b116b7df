import { randomUUID } from 'node:crypto'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'

export type NewUser = { name: string; email: string; passwordHash: string }

/** Emails are compared without case and surrounding white space. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** Returns the new user's id, or undefined if the email is taken. */
export async function insertUser(db: Db, user: NewUser, now: number): Promise<string | undefined> {
  const row = await db
    .insertInto('users')
    .values({
      id: newId(),
      name: user.name,
      email: user.email,
      password_hash: user.passwordHash,
      created_at: now,
      task_count: 0,
      stored_bytes: 0,
      tasks_version: randomUUID(),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Closed accounts, which wait for their deletion, are not users. */
const openUsers = (db: Db) => db.selectFrom('users').where('closed_at', 'is', null)

export async function anyUserExists(db: Db): Promise<boolean> {
  return (await openUsers(db).select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function userExists(db: Db, userId: string): Promise<boolean> {
  return (await openUsers(db).select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
}

export type Credentials = { id: string; passwordHash: string }

export const findCredentials = (db: Db, email: string) =>
  selectCredentials(db).where('email', '=', email).executeTakeFirst()

export const findOwnCredentials = (db: Db, userId: string) =>
  selectCredentials(db).where('id', '=', userId).executeTakeFirst()

const selectCredentials = (db: Db) => openUsers(db).select(['id', 'password_hash as passwordHash'])

/**
 * Locks the account's row until the transaction ends and returns true, if these are still the account's credentials.
 * Starting a session and every change of credentials begin with this, which serializes them: otherwise a session that was
 * started with the old password during a change of password would survive the change.
 */
export async function lockCredentials(db: Db, { id, passwordHash }: Credentials): Promise<boolean> {
  // All engines lock a row on update, even if the update changes nothing.
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Must follow `lockCredentials` in the same transaction. */
export async function setPasswordHash(db: Db, userId: string, passwordHash: string) {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}
