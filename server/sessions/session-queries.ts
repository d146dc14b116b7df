import { sql } from 'kysely'
import type { DeleteRows } from '../database/expired-rows.ts'
import type { Db } from '../database/schema.ts'
import { resetScope } from './scopes.ts'
import type { SessionKey } from './token.ts'

/** The maximum time in milliseconds that a session lasts without use, and in total. */
export type SessionLife = { idle: number; max: number }

/** The maximum number of sessions per user. Another login ends the oldest. */
const sessionsPerUser = 20

export type Session = {
  tokenHash: string
  /** Of the credential; empty if it is not known. */
  name: string
  /** As in `scopes.ts`. */
  scope: string
  /** The caller. Every query on a user's data takes this id as its first argument after `db`. */
  userId: string
  /** The number and the id of the newest change of the user's data. */
  seq: number
  head: string
  /** Whether `last_used_at` is old enough to be updated. */
  stale: boolean
  /** When it was found to be valid. */
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
  await db
    .insertInto('sessions')
    .values({
      ...{ user_id: userId, token_hash: tokenHash, name },
      ...{ created_at: now, last_used_at: now },
    })
    .execute()
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

export async function endSession(db: Db, { userId, tokenHash }: SessionKey) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '=', tokenHash).execute()
}

/** Ends a credential that is no session. */
export async function endCredential(db: Db, { userId, tokenHash }: SessionKey) {
  await db
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Ends all sessions and other credentials, those of other programs too. */
export async function endCredentials(db: Db, userId: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('credentials').where('user_id', '=', userId).execute()
}

/** Ends the other sessions with their exports, and links. Tokens of other programs stay, which their user revokes. */
export async function endOtherSessions(db: Db, userId: string, tokenHash: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', tokenHash).execute()
  await db.deleteFrom('credentials').where('user_id', '=', userId).where('scope', '=', resetScope).execute()
}

export async function sweepSessions(deleteRows: DeleteRows, { idle, max }: SessionLife, now: number) {
  await deleteRows('sessions', 'created_at', sql`created_at <= ${now - max}`)
  await deleteRows('sessions', 'last_used_at', sql`last_used_at <= ${now - idle}`)
  await deleteRows('credentials', 'expires_at', sql`expires_at <= ${now}`)
}
