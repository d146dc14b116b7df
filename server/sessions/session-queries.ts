import { compiledQuery } from '../database/compiled-query.ts'
import type { KeyRange } from '../database/key-ranges.ts'
import type { Db } from '../database/schema.ts'

/** Milliseconds that a session lasts unused, and in all. */
export type SessionLife = { idle: number; max: number }

/** Sessions that one user may have; signing in once more ends the oldest. */
const sessionsPerUser = 20

/** How old the noted last use may grow before it is written again: a write for each request would cost more than it tells. */
const useNotedEvery = 3_600_000

export type Session = {
  tokenHash: string
  /** The caller: first argument after `db` of every query on what is theirs. */
  userId: string
  /** Another one after every change to the user's tasks. */
  tasksVersion: string
  /** Whether the noted last use is old enough to be written again. */
  stale: boolean
}

/** Belongs behind `lockCredentials`, in its transaction, unless the user is new in it. */
export async function startSession(db: Db, userId: string, tokenHash: string, now: number) {
  await db
    .insertInto('sessions')
    .values({ token_hash: tokenHash, user_id: userId, created_at: now, last_used_at: now })
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

const selectSession = compiledQuery(
  (db, value: { tokenHash: string; createdAfter: number; usedAfter: number }) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.user_id', 'sessions.last_used_at', 'users.tasks_version'])
      .where('sessions.token_hash', '=', value.tokenHash)
      .where('sessions.created_at', '>', value.createdAfter)
      .where('sessions.last_used_at', '>', value.usedAfter),
)

/** The session that a token opens at `now` (milliseconds), unless it is unknown, revoked or over. */
export async function findSession(
  db: Db,
  tokenHash: string,
  { idle, max }: SessionLife,
  now: number,
): Promise<Session | undefined> {
  const { rows } = await selectSession(db, { tokenHash, createdAfter: now - max, usedAfter: now - idle })
  const [row] = rows
  return (
    row && {
      tokenHash,
      userId: row.user_id,
      tasksVersion: row.tasks_version,
      stale: row.last_used_at < now - useNotedEvery,
    }
  )
}

export async function noteUse(db: Db, tokenHash: string, now: number) {
  await db.updateTable('sessions').set({ last_used_at: now }).where('token_hash', '=', tokenHash).execute()
}

export async function endSession(db: Db, tokenHash: string) {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function endSessions(db: Db, userId: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

export async function endOtherSessions(db: Db, userId: string, tokenHash: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('token_hash', '!=', tokenHash).execute()
}

/** Removes the sessions in the range that no token opens any more. */
export async function sweepSessions(db: Db, { idle, max }: SessionLife, now: number, range: KeyRange) {
  await db
    .deleteFrom('sessions')
    .where(range)
    .where((is) => is.or([is('created_at', '<=', now - max), is('last_used_at', '<=', now - idle)]))
    .execute()
}
