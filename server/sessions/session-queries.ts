import { type ExpressionBuilder, sql } from 'kysely'
import { compiledQuery } from '../database/compiled-query.ts'
import type { DeleteRows } from '../database/expired-rows.ts'
import type { Db, Schema } from '../database/schema.ts'
import { scopesOfTokens } from './scopes.ts'
import type { SessionKey } from './token.ts'

/** The maximum time in milliseconds that a session lasts without use, and in total. */
export type SessionLife = { idle: number; max: number }

/** The maximum number of sessions per user. Another login ends the oldest. */
const sessionsPerUser = 20

/** The precision of `last_used_at` in milliseconds: writing it for each request would cost too much. */
const useNotedEvery = 3_600_000

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
      ...{ user_id: userId, token_hash: tokenHash, scope: 'session', name },
      ...{ created_at: now, last_used_at: now, expires_at: null },
    })
    .execute()
  const tooMany = db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('scope', '=', 'session')
    .orderBy('created_at', 'desc')
    .limit(1000)
    .offset(sessionsPerUser)
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', 'in', tooMany).execute()
}

/** What a valid credential fulfils at a time. */
type Valid = { now: number; createdAfter: number; usedAfter: number }

const validAt = ({ idle, max }: SessionLife, now: number): Valid => ({
  now,
  createdAfter: now - max,
  usedAfter: now - idle,
})

/** The condition of a valid credential. The configuration limits sessions alone; other credentials have an expiry or are revoked. */
const isValid =
  ({ now, createdAfter, usedAfter }: Valid) =>
  (row: ExpressionBuilder<Schema, 'sessions'>) =>
    row.and([
      row.or([row('sessions.expires_at', 'is', null), row('sessions.expires_at', '>', now)]),
      row.or([
        row('sessions.scope', '!=', 'session'),
        row.and([
          row('sessions.created_at', '>', createdAfter),
          row('sessions.last_used_at', '>', usedAfter),
        ]),
      ]),
    ])

const selectSession = compiledQuery((db, value: SessionKey & Valid) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.scope', 'sessions.name'])
    .select(['sessions.created_at', 'sessions.last_used_at'])
    .select(['users.seq', 'users.head'])
    .where('sessions.user_id', '=', value.userId)
    .where('sessions.token_hash', '=', value.tokenHash)
    .where(isValid(value)),
)

/** Returns the credential that is valid at `now` (milliseconds), of any scope; undefined if unknown, revoked or expired. */
export async function findSession(
  db: Db,
  key: SessionKey,
  life: SessionLife,
  now: number,
): Promise<Session | undefined> {
  const { rows } = await selectSession(db, { ...key, ...validAt(life, now) })
  const [row] = rows
  return (
    row && {
      tokenHash: key.tokenHash,
      scope: row.scope,
      name: row.name,
      userId: row.user_id,
      seq: row.seq,
      head: row.head,
      stale: row.last_used_at < now - useNotedEvery || isUnused(row),
    }
  )
}

/** Whether the account of a credential exists and is not closed. */
export async function isAccountOpen(db: Db, userId: string): Promise<boolean> {
  const users = db.selectFrom('users').select('id').where('id', '=', userId).where('closed_at', 'is', null)
  return (await users.executeTakeFirst()) !== undefined
}

/** Whether a credential was never used. A session is used from its start on. */
export const isUnused = (row: Pick<Schema['sessions'], 'created_at' | 'last_used_at'> & { scope: string }) =>
  row.scope !== 'session' && row.last_used_at === row.created_at

/** Returns those of the sessions that are valid at `now`, with their users' newest changes. */
export async function findSessions(
  db: Db,
  sessions: Pick<Session, 'userId' | 'tokenHash'>[],
  life: SessionLife,
  now: number,
): Promise<Pick<Session, 'tokenHash' | 'seq' | 'head'>[]> {
  const distinct = <Key extends 'userId' | 'tokenHash'>(key: Key) => [
    ...new Set(sessions.map((one) => one[key])),
  ]
  return await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.token_hash as tokenHash', 'users.seq', 'users.head'])
    .where('sessions.user_id', 'in', distinct('userId'))
    .where('sessions.token_hash', 'in', distinct('tokenHash'))
    .where(isValid(validAt(life, now)))
    .execute()
}

/** Returns the sessions of a user that are valid at `now`, the last used first. */
export const findOwnSessions = (db: Db, userId: string, life: SessionLife, now: number) => {
  const { createdAfter, usedAfter } = validAt(life, now)
  return db
    .selectFrom('sessions')
    .select(['token_hash', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('scope', '=', 'session')
    .where('created_at', '>', createdAfter)
    .where('last_used_at', '>', usedAfter)
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .execute()
}

/** `name`: the client's. A session that an earlier version began has none. */
export async function recordUse(db: Db, session: Session, { name, now }: { name: string; now: number }) {
  const { userId, tokenHash } = session
  await db
    .updateTable('sessions')
    .set({ last_used_at: now, name: session.name || name })
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .execute()
}

export async function endSession(db: Db, { userId, tokenHash }: SessionKey) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '=', tokenHash).execute()
}

/** Ends all credentials, those of other programs too. */
export async function endSessions(db: Db, userId: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Ends the other sessions, links and exports. Tokens of other programs stay, which their user revokes. */
export async function endOtherSessions(db: Db, userId: string, tokenHash: string) {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', tokenHash)
    .where('scope', 'not in', scopesOfTokens)
    .execute()
}

export async function sweepSessions(deleteRows: DeleteRows, { idle, max }: SessionLife, now: number) {
  await deleteRows('sessions', 'created_at', sql`created_at <= ${now - max} and scope = 'session'`)
  await deleteRows('sessions', 'last_used_at', sql`last_used_at <= ${now - idle} and scope = 'session'`)
  await deleteRows('sessions', 'expires_at', sql`expires_at <= ${now}`)
}
