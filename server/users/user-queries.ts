import { randomUUID } from 'node:crypto'
import { keptFor } from '#contract/limits.ts'
import { type Db, rules } from '../database/schema.ts'
import { idFor, newId } from '../new-id.ts'

export type NewUser = { name: string; email: string; passwordHash: string }

/** Emails are compared without case, surrounding white space and forms of Unicode, in which keyboards type the same letters. */
export const normalizeEmail = (email: string) => email.trim().normalize('NFC').toLowerCase().normalize('NFC')

/** The emails of an account that is meant. 0.1.0 stored an email as it is typed, and another account may have the normal form. */
const formsOf = (email: string) => [...new Set([email.trim().toLowerCase(), normalizeEmail(email)])]

/** Returns the new user's id, or undefined if the email is taken. */
export async function insertUser(
  db: Db,
  { name, email, passwordHash }: NewUser,
  now: number,
): Promise<string | undefined> {
  const id = newId()
  const account = await db
    .insertInto('accounts')
    .values({ email, user_id: id })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!account) return undefined
  const head = randomUUID()
  const user = { id, name, email, password_hash: passwordHash, created_at: now }
  await db
    .insertInto('users')
    .values({ ...user, seq: 0, head, task_count: 0, stored_bytes: 0, trim_at: now + keptFor, settings: '{}' })
    .execute()
  // The log begins with a separate row, so that it contains the cursor of an account without tasks.
  await db
    .insertInto('changes')
    .values({
      ...{ user_id: id, seq: 0, id: head, at: now, device: '', by: '' },
      ...{ kind: 'start', event: 'start', fields: '', rules },
    })
    .execute()
  return id
}

/** Closed accounts, which wait for their deletion, are not users. */
const openUsers = (db: Db) => db.selectFrom('users').where('closed_at', 'is', null)

export async function userExists(db: Db, userId: string): Promise<boolean> {
  return (await openUsers(db).select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
}

export type Credentials = { id: string; passwordHash: string }

/** Returns the ids of the accounts of a typed email, in nearly all cases one, and undefined for each account that does not exist. */
export async function findAccounts(db: Db, email: string): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for (const form of formsOf(email)) {
    const accounts = db.selectFrom('accounts').select('user_id').where('email', '=', form)
    found.push((await accounts.executeTakeFirst())?.user_id)
  }
  return found
}

/**
 * Returns the id under which guesses at a typed email are counted: that of the account with its normal form, however it was typed.
 * An email without an account has one too, so that it cannot be distinguished.
 */
export const guessedAccount = (email: string, accounts: (string | undefined)[]): string =>
  accounts.findLast((id) => id !== undefined) ?? idFor('email', normalizeEmail(email))

/** Returns the credentials of these accounts, or undefined for each that does not exist. */
export async function findCredentials(
  db: Db,
  accounts: (string | undefined)[],
): Promise<(Credentials | undefined)[]> {
  const found: (Credentials | undefined)[] = []
  for (const id of accounts) {
    const credentials = openUsers(db).select(['id', 'password_hash as passwordHash'])
    found.push(id === undefined ? id : await credentials.where('id', '=', id).executeTakeFirst())
  }
  return found
}

/**
 * If these are still the account's credentials, locks the account's row until the transaction ends and returns true. Starting a
 * session and every change of credentials begin with this lock, so they run one after another. Otherwise a session that was
 * started with the old password during a change of the password would survive the change.
 */
export async function lockCredentials(db: Db, { id, passwordHash }: Credentials): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Must follow `lockCredentials` in the transaction that starts a session. */
export async function isDisabled(db: Db, id: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('disabled_at').where('id', '=', id).executeTakeFirst()
  return user?.disabled_at != null
}

/** Must follow `lockCredentials` or `lockUser` in the same transaction. */
export async function setPasswordHash(db: Db, userId: string, passwordHash: string) {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}
