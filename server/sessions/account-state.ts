import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'

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
 * Whether the account of a credential was closed or deleted. In a database without any account none counts as gone: a
 * server may have been started on an empty one by mistake.
 */
export async function isAccountGone(db: Db, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('closed_at').where('id', '=', userId).executeTakeFirst()
  return user ? user.closed_at !== null : await anyUserIsKnown(db)
}

/** The totals of a user's data, up to its newest change. */
export type Account = { seq: number; head: string; task_count: number; stored_bytes: number }

/** An update that changes nothing is the row lock that all engines support. */
const touchUser = compiledQuery((db, value: { id: string }) =>
  db
    .updateTable('users')
    .set((row) => ({ seq: row.ref('seq') }))
    .where('id', '=', value.id)
    .where('closed_at', 'is', null)
    .returning(['seq', 'head', 'task_count', 'stored_bytes']),
)

/**
 * Locks the row of a user until the transaction ends, so that nothing else changes the user's data. Returns undefined if there is no
 * such account.
 */
export async function lockUser(db: Db, id: string): Promise<Account | undefined> {
  const { rows } = await touchUser(db, { id })
  return rows[0]
}
