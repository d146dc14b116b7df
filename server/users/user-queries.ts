import { randomUUID } from 'node:crypto'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'

export type NewUser = { name: string; email: string; passwordHash: string }

/** Emails are compared without regard to case or surrounding space. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** The new user's id, or undefined where the email is taken. */
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

export async function anyUserExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export type Credentials = { id: string; passwordHash: string }

export const findCredentials = (db: Db, email: string) =>
  selectCredentials(db).where('email', '=', email).executeTakeFirst()

export const findOwnCredentials = (db: Db, userId: string) =>
  selectCredentials(db).where('id', '=', userId).executeTakeFirst()

const selectCredentials = (db: Db) => db.selectFrom('users').select(['id', 'password_hash as passwordHash'])

/** Whether it was changed: not if somebody changed it after these credentials were read. */
export async function changePasswordHash(
  db: Db,
  { id, passwordHash }: Credentials,
  to: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** With the user go their sessions and tasks. */
export async function deleteUser(db: Db, userId: string) {
  await db.deleteFrom('users').where('id', '=', userId).execute()
}
