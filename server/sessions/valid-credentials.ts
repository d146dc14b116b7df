import type { ExpressionBuilder } from 'kysely'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { Session, SessionLife } from './session-queries.ts'
import type { SessionKey } from './token.ts'

/** The precision of `last_used_at` in milliseconds: writing it for each request would cost too much. */
const useNotedEvery = 3_600_000

type Valid = { now: number; createdAfter: number; usedAfter: number }

const validAt = ({ idle, max }: SessionLife, now: number): Valid => ({
  now,
  createdAfter: now - max,
  usedAfter: now - idle,
})

/** A server of 0.1.0 starts sessions of a disabled account, and leaves the other credentials of one that it closes. */
const isOpen = (row: ExpressionBuilder<Schema, 'users'>) =>
  row.and([row('users.closed_at', 'is', null), row('users.disabled_at', 'is', null)])

/** The configuration limits sessions alone; other credentials have an expiry or are revoked. */
const isNotExpired = (now: number) => (row: ExpressionBuilder<Schema, 'credentials'>) =>
  row.or([row('credentials.expires_at', 'is', null), row('credentials.expires_at', '>', now)])

const selectSession = compiledQuery((db, value: SessionKey & Valid) =>
  db
    .selectFrom('users')
    .leftJoin('sessions', (join) =>
      join
        .onRef('sessions.user_id', '=', 'users.id')
        .on('sessions.token_hash', '=', value.tokenHash)
        .on('sessions.created_at', '>', value.createdAfter)
        .on('sessions.last_used_at', '>', value.usedAfter),
    )
    .leftJoin('credentials', (join) =>
      join
        .onRef('credentials.user_id', '=', 'users.id')
        .on('credentials.token_hash', '=', value.tokenHash)
        .on(isNotExpired(value.now)),
    )
    .select(['users.seq', 'users.head'])
    .select(['sessions.name as client', 'sessions.last_used_at as usedAt'])
    .select(['credentials.scope', 'credentials.name', 'credentials.last_used_at'])
    .where('users.id', '=', value.userId)
    .where(isOpen),
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
  if (!row) return
  const { scope, name, client, usedAt, last_used_at, ...user } = row
  const found =
    client !== null ? { scope: 'session', name: client } : scope !== null && name !== null && { scope, name }
  return found
    ? {
        ...key,
        ...user,
        ...found,
        checkedAt: now,
        stale: (usedAt ?? last_used_at ?? 0) < now - useNotedEvery,
      }
    : undefined
}

/** Returns those of the sessions and other credentials that are valid at `now`, with their users' newest changes. */
export async function findSessions(
  db: Db,
  sessions: Pick<Session, 'userId' | 'tokenHash'>[],
  life: SessionLife,
  now: number,
): Promise<Pick<Session, 'tokenHash' | 'seq' | 'head'>[]> {
  const { createdAfter, usedAfter } = validAt(life, now)
  const valid = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.token_hash as tokenHash', 'users.seq', 'users.head'])
    .where('sessions.user_id', 'in', distinct(sessions, 'userId'))
    .where('sessions.token_hash', 'in', distinct(sessions, 'tokenHash'))
    .where('sessions.created_at', '>', createdAfter)
    .where('sessions.last_used_at', '>', usedAfter)
    .where(isOpen)
    .execute()
  const known = new Set(valid.map(({ tokenHash }) => tokenHash))
  const others = sessions.filter(({ tokenHash }) => !known.has(tokenHash))
  if (others.length === 0) return valid
  const ofPrograms = await db
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .select(['credentials.token_hash as tokenHash', 'users.seq', 'users.head'])
    .where('credentials.user_id', 'in', distinct(others, 'userId'))
    .where('credentials.token_hash', 'in', distinct(others, 'tokenHash'))
    .where(isNotExpired(now))
    .where(isOpen)
    .execute()
  return [...valid, ...ofPrograms]
}

const distinct = <Key extends 'userId' | 'tokenHash'>(sessions: Pick<Session, Key>[], key: Key) => [
  ...new Set(sessions.map((one) => one[key])),
]
