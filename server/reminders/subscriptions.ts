import { hash } from 'node:crypto'
import { uuidOf } from '#contract/fields.ts'
import type { Db } from '../database/schema.ts'
import { lockUser } from '../sessions/account-state.ts'
import { hasSession, type SessionLife } from '../sessions/session-queries.ts'
import type { SessionKey } from '../sessions/token.ts'

export type NewSubscription = { endpoint: string; p256dh: string; auth: string; origin: string }

/**
 * The endpoint of a subscription that its push service has ended. It is a URL of no host, because a server of an earlier version reads the
 * hosts of all endpoints.
 */
const endedEndpoint = 'https://ended.invalid/'

/** A server of an earlier version may have stored an empty one. */
const endedEndpoints = [endedEndpoint, '']

export const isEnded = ({ endpoint }: { endpoint: string }) => endedEndpoints.includes(endpoint)

const idOf = (endpoint: string) => uuidOf(hash('sha256', endpoint).slice(0, 32))

/**
 * Stores the subscription of a session, which has at most one, so an account has as many as sessions. A browser whose session has
 * ended keeps its endpoint in the next one. Returns false if the session has ended.
 */
export async function subscribe(db: Db, session: SessionKey, given: NewSubscription, now: number) {
  const { userId, tokenHash } = session
  await lockUser(db, userId)
  if (!(await hasSession(db, session))) return false
  const id = idOf(given.endpoint)
  await db
    .deleteFrom('subscriptions')
    .where('user_id', '=', userId)
    .where((row) => row.or([row('token_hash', '=', tokenHash), row('id', '=', id)]))
    .execute()
  await db
    .insertInto('subscriptions')
    .values({ user_id: userId, id, token_hash: tokenHash, created_at: now, ...given })
    .execute()
  return true
}

/** The subscriptions of some users whose sessions are valid at `now`, with the names of these. `isEnded` says which were ended. */
export const knownSubscriptions = (db: Db, userIds: string[], { idle, max }: SessionLife, now: number) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.user_id', '=', 'subscriptions.user_id')
        .onRef('sessions.token_hash', '=', 'subscriptions.token_hash'),
    )
    .selectAll('subscriptions')
    .select('sessions.name')
    .where('subscriptions.user_id', 'in', userIds)
    .where('sessions.created_at', '>', now - max)
    .where('sessions.last_used_at', '>', now - idle)

export const validSubscriptions = (...which: Parameters<typeof knownSubscriptions>) =>
  knownSubscriptions(...which).where('endpoint', 'not in', endedEndpoints)

/**
 * Ends a subscription that its push service does not know any more. Its row stays without its endpoint, so that its browser learns that
 * it needs another one: a row that is missing says that its user has stopped the reminders.
 */
export async function endSubscription(db: Db, userId: string, id: string) {
  await db
    .updateTable('subscriptions')
    .set({ endpoint: endedEndpoint })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Returns false if the user has no such subscription. */
export async function unsubscribe(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('subscriptions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
