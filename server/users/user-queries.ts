import { randomUUID } from 'node:crypto'
import { v7 as newId } from 'uuid'
import type { Db } from '../database/schema.ts'

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
      tasks_version: randomUUID(),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function findCredentials(db: Db, email: string) {
  return await db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where('email', '=', email)
    .executeTakeFirst()
}
