import { sql } from 'kysely'
import { compiledQuery } from '../database/compiled-query.ts'
import type { DeleteRows } from '../database/expired-rows.ts'
import type { Db } from '../database/schema.ts'
import { resetScope } from './scopes.ts'
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

/** What a valid credential fulfils at a time. */
type Valid = { now: number; createdAfter: number; usedAfter: number }

const validAt = ({ idle, max }: SessionLife, now: number): Valid => ({
  now,
  createdAfter: now - max,
  usedAfter: now - idle,
})

/**
 * The valid credentials of all accounts that are open. The configuration limits sessions alone; other credentials have an expiry or are
 * revoked. A server of 0.1.0 ends the sessions of an account that it closes, and starts sessions of a disabled one.
 */
const validCredentials = (db: Db, { now, createdAfter, usedAfter }: Valid) =>
  db
    .selectFrom(
      db
        .selectFrom('sessions')
        .select(['user_id', 'token_hash', 'name', 'last_used_at'])
        .select(sql.lit('session').as('scope'))
        .where('created_at', '>', createdAfter)
        .where('last_used_at', '>', usedAfter)
        .unionAll(
          db
            .selectFrom('credentials')
            .select(['user_id', 'token_hash', 'name'])
            .select([sql<number>`coalesce(last_used_at, 0)`.as('last_used_at'), 'scope'])
            .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)])),
        )
        .as('credential'),
    )
    .innerJoin('users', 'users.id', 'credential.user_id')
    .select(['users.seq', 'users.head'])
    .where('users.closed_at', 'is', null)
    .where('users.disabled_at', 'is', null)

const selectSession = compiledQuery((db, value: SessionKey & Valid) =>
  validCredentials(db, value)
    .select(['credential.scope', 'credential.name', 'credential.last_used_at'])
    .where('credential.user_id', '=', value.userId)
    .where('credential.token_hash', '=', value.tokenHash),
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
      ...{ ...key, scope: row.scope, name: row.name, seq: row.seq, head: row.head },
      stale: row.last_used_at < now - useNotedEvery,
    }
  )
}

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
  return await validCredentials(db, validAt(life, now))
    .select('credential.token_hash as tokenHash')
    .where('credential.user_id', 'in', distinct('userId'))
    .where('credential.token_hash', 'in', distinct('tokenHash'))
    .execute()
}

/** Returns the sessions of a user that are valid at `now`, the last used first. */
export const findOwnSessions = (db: Db, userId: string, life: SessionLife, now: number) => {
  const { createdAfter, usedAfter } = validAt(life, now)
  return db
    .selectFrom('sessions')
    .select(['token_hash', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('created_at', '>', createdAfter)
    .where('last_used_at', '>', usedAfter)
    .orderBy('last_used_at', 'desc')
    .orderBy('token_hash')
    .execute()
}

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
