import type { Db } from '../database/schema.ts'

/** Whether there is an account that is not closed. */
export async function anyUserExists(db: Db): Promise<boolean> {
  const users = db.selectFrom('users').select('id').where('closed_at', 'is', null)
  return (await users.limit(1).executeTakeFirst()) !== undefined
}

const asked = new WeakMap<Db, Promise<boolean>>()

/** Those who ask at once share a question: on a distributed database it concerns all parts, and anybody can ask with an invented token. */
function anyUserIsKnown(db: Db): Promise<boolean> {
  const question = asked.get(db) ?? anyUserExists(db).finally(() => asked.delete(db))
  asked.set(db, question)
  return question
}

/**
 * Whether the account of a credential was closed or deleted. A database without any account is not the one in which it was: a server may
 * have been started on an empty one by mistake.
 */
export async function isAccountGone(db: Db, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('closed_at').where('id', '=', userId).executeTakeFirst()
  return user ? user.closed_at !== null : await anyUserIsKnown(db)
}
