import { sql } from 'kysely'
import type { DeleteRows } from '../database/expired-rows.ts'
import type { Db, Schema } from '../database/schema.ts'
import { resetScope } from './scopes.ts'
import { hashOf, newToken, type SessionKey } from './token.ts'

/** The maximum time in milliseconds that a session lasts without use, and in total. */
export type SessionLife = { idle: number; max: number }

/** The maximum number of sessions per user. Another login ends the oldest. */
const sessionsPerUser = 20

export type Session = {
  tokenHash: string
  /** Of the credential; empty if it is not known. */
  name: string
  scope: string
  /** The caller. Every query on a user's data takes this id as its first argument after `db`. */
  userId: string
  /** The number and the id of the newest change of the user's data. */
  seq: number
  head: string
  stale: boolean
  checkedAt: number
}

/**
 * `name`: the client's. Must follow `lockCredentials` in the same transaction, unless that transaction created the user.
 */
export async function startSession(
  db: Db,
  { userId, tokenHash }: SessionKey,
  { name, now }: { name: string; now: number },
) {
  const session = { user_id: userId, token_hash: tokenHash, name, created_at: now, last_used_at: now }
  await db.insertInto('sessions').values(session).execute()
  const tooMany = db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1000)
    .offset(sessionsPerUser)
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', 'in', tooMany).execute()
}

/** Returns the sessions of a user that are valid at `now`, the last used first. */
export const findOwnSessions = (db: Db, userId: string, { idle, max }: SessionLife, now: number) =>
  db
    .selectFrom('sessions')
    .select(['token_hash', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('created_at', '>', now - max)
    .where('last_used_at', '>', now - idle)
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .execute()

/** `name`: the client's. A session that an earlier version began has none. */
export async function recordUse(db: Db, session: Session, { name, now }: { name: string; now: number }) {
  const { userId, tokenHash } = session
  const [table, more] =
    session.scope === 'session'
      ? (['sessions', { name: session.name || name }] as const)
      : (['credentials', {}] as const)
  await db
    .updateTable(table)
    .set({ last_used_at: now, ...more })
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function endSession(db: Db, key: SessionKey, table: 'sessions' | 'credentials' = 'sessions') {
  await db
    .deleteFrom(table)
    .where('user_id', '=', key.userId)
    .where('token_hash', '=', key.tokenHash)
    .execute()
}

export const endCredential = (db: Db, key: SessionKey) => endSession(db, key, 'credentials')

export async function hasSession(db: Db, { userId, tokenHash }: SessionKey): Promise<boolean> {
  const sessions = db.selectFrom('sessions').select('user_id').where('user_id', '=', userId)
  return (await sessions.where('token_hash', '=', tokenHash).executeTakeFirst()) !== undefined
}

type NewCredential = Pick<Schema['credentials'], 'scope' | 'expires_at'> & {
  name?: string
  begun_by?: string
}

/** Returns the token of a new credential that is no session. */
export async function startCredential(db: Db, userId: string, values: NewCredential, now: number) {
  const token = newToken(userId)
  const row = { user_id: userId, token_hash: hashOf(token), name: '', created_at: now, ...values }
  await db.insertInto('credentials').values(row).execute()
  return token
}

export async function endCredentialsOf(db: Db, userId: string, scope: string) {
  await db.deleteFrom('credentials').where('user_id', '=', userId).where('scope', '=', scope).execute()
}

/** Ends all sessions and other credentials, those of other programs too. */
export async function endCredentials(db: Db, userId: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('credentials').where('user_id', '=', userId).execute()
}

/** Ends the other sessions with their exports, and links. Tokens of other programs stay, which their user revokes. */
export async function endOtherSessions(db: Db, userId: string, tokenHash: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', tokenHash).execute()
  await endCredentialsOf(db, userId, resetScope)
}

export async function sweepSessions(deleteRows: DeleteRows, { idle, max }: SessionLife, now: number) {
  await deleteRows('sessions', 'created_at', sql`created_at <= ${now - max}`)
  await deleteRows('sessions', 'last_used_at', sql`last_used_at <= ${now - idle}`)
  await deleteRows('credentials', 'expires_at', sql`expires_at <= ${now}`)
}
