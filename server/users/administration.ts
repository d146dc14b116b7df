import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { lockUser } from '../sessions/account-state.ts'
import { endCredentials } from '../sessions/session-queries.ts'
import { hashPassword } from './password.ts'
import { startReset } from './password-reset.ts'
import { findAccounts, insertUser } from './user-queries.ts'

export type Account = {
  id: string
  name: string
  email: string
  created_at: number
  disabled_at: number | null
  task_count: number
  stored_bytes: number
  /** When the user was last here, by the sessions that have not ended, or null. */
  last_used_at: number | null
}

const accounts = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'created_at', 'disabled_at', 'task_count', 'stored_bytes'])
    .select((users) =>
      users
        .selectFrom('sessions')
        .select(sql<number | null>`max(last_used_at)`.as('last'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last_used_at'),
    )
    .where('closed_at', 'is', null)

const accountsPerQuery = 500

/** Returns all accounts, the oldest first, in several queries. */
export async function* allAccounts(db: Db): AsyncGenerator<Account> {
  let after: string | undefined
  do {
    let next = accounts(db).orderBy('id').limit(accountsPerQuery)
    if (after !== undefined) next = next.where('id', '>', after)
    const found = await next.execute()
    yield* found
    after = found.length === accountsPerQuery ? found.at(-1)?.id : undefined
  } while (after !== undefined)
}

/** Returns the account with this email, or with this id: the log names accounts by their ids. */
export async function findAccount(db: Db, emailOrId: string): Promise<Account | undefined> {
  const id = (await findAccounts(db, emailOrId)).find((found) => found !== undefined) ?? emailOrId
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
    ? await accounts(db).where('id', '=', id).executeTakeFirst()
    : undefined
}

/**
 * Adds an account without a usable password. Returns the token with which its user chooses one, or undefined if the email is taken.
 */
export async function addAccount(database: Database, user: { name: string; email: string }, now: number) {
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'), '127.0.0.1')
  return await database.write(async (db) => {
    const id = await insertUser(db, { ...user, passwordHash }, now)
    return id && (await startReset(db, id, now))
  })
}

/** Disables the account and ends its sessions and links, or enables it. */
export async function setDisabled(db: Db, id: string, disabledAt: number | null) {
  if (!(await lockUser(db, id))) return
  await db.updateTable('users').set({ disabled_at: disabledAt }).where('id', '=', id).execute()
  if (disabledAt !== null) await endCredentials(db, id)
}
