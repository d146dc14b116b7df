import type { FastifyInstance } from 'fastify'
import { every } from '../background.ts'
import type { AppContext } from '../context.ts'
import { chunksOf } from '../database/chunks.ts'
import type { EventStream } from '../fairness/event-streams.ts'
import { failureLog } from '../http/failure-log.ts'
import { measured, publishSeconds } from '../measured.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import type { Session } from '../sessions/session-queries.ts'
import { findSessions } from '../sessions/valid-credentials.ts'
import { cursorHeader, cursorOf, seqOf } from './change-log.ts'

const sessionsPerQuery = 200

/** When sessions that have expired are searched for, in milliseconds, although nothing was committed. */
const expiryEvery = 15_000

/** A user with open streams: the newest cursor sent to them, and each stream's session. */
type StreamsOfUser = { cursor: string; streams: Map<EventStream, string> }

type Polled = { userId: string; tokenHash: string; sent: string }

/**
 * Sends new cursors to the open streams of their users. Changes of the routes in the same scope are announced after their commit. A
 * poller finds the changes of other servers, and the sessions that have ended. It queries only while a stream is open and, of a file,
 * after a commit.
 */
export function sendNewestCursors(app: FastifyInstance, { config, database }: AppContext) {
  const life = sessionLife(config)
  const users = createStreams()
  const logFailure = failureLog()
  /** The shards of followed users, on an engine that distributes them. */
  const shards = new Map<string, string>()
  /** What the last search has found: everything up to this commit. */
  let searched = { revision: undefined as number | undefined, at: 0 }

  // A write sends its response after its commit.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const cursor = reply.getHeader(cursorHeader)
    const { method, session } = request
    if (method !== 'GET' && session && typeof cursor === 'string') users.announce(session.userId, cursor)
    done()
  })

  async function poll(stop: AbortSignal) {
    if (users.size === 0) return
    const [revision, began] = [database.revision?.(), performance.now()]
    const isKnown = revision !== undefined && revision === searched.revision
    if (isKnown && began - searched.at < expiryEvery) return
    searched = { revision, at: began }
    for (const group of (await groupsOf(users.sessions())).values())
      for (const sessions of chunksOf(group, sessionsPerQuery)) {
        if (stop.aborted) break
        // The other groups may be on nodes of the database that run.
        await check(sessions).catch((error) => {
          searched.revision = undefined
          measured.pollFailure.publish(undefined)
          logFailure(
            app.log,
            'warn',
            {},
            error,
            'the newest changes could not be read; trying again every second',
          )
        })
      }
    publishSeconds('poll', began)
  }

  /** Groups sessions by the shards of their users. If the database has none or does not report them, they are one group. */
  async function groupsOf(sessions: Polled[]) {
    const unknown = [...new Set(sessions.map(({ userId }) => userId))].filter((userId) => !shards.has(userId))
    const found = unknown.length > 0 ? await database.shardsOf?.(unknown).catch(() => undefined) : undefined
    for (const [userId, shard] of found ?? []) shards.set(userId, shard)
    return Map.groupBy(sessions, ({ userId }) => shards.get(userId))
  }

  async function check(sessions: Polled[]) {
    const valid = await findSessions(database.read, sessions, life, Date.now())
    users.update(sessions, new Map(valid.map(({ tokenHash, ...head }) => [tokenHash, cursorOf(head)])))
  }

  every(app, 'the search for new changes', poll)

  return {
    follow(stream: EventStream, session: Session) {
      // The session may have been read before the last search.
      searched.revision = undefined
      users.add(stream, session)
    },

    unfollow(stream: EventStream, { userId }: Session) {
      if (users.remove(stream, userId)) shards.delete(userId)
    },
  }
}

export function createStreams() {
  const followed = new Map<string, StreamsOfUser>()

  function send(user: StreamsOfUser, cursor: string) {
    user.cursor = cursor
    for (const stream of user.streams.keys()) stream.send(cursor)
  }

  function end(user: StreamsOfUser | undefined, tokenHash: string) {
    for (const [stream, session] of user?.streams ?? []) if (session === tokenHash) stream.end()
  }

  /** Sends a cursor of this user after a commit. A lower number is older, since numbers are given in order. */
  function announce(userId: string, cursor: string) {
    const user = followed.get(userId)
    if (user && seqOf(cursor) > seqOf(user.cursor)) send(user, cursor)
  }

  return {
    get size() {
      return followed.size
    },
    sessions: (): Polled[] =>
      [...followed].flatMap(([userId, { cursor, streams }]) =>
        [...new Set(streams.values())].map((tokenHash) => ({ userId, tokenHash, sent: cursor })),
      ),
    announce,

    add(stream: EventStream, session: Session) {
      const { userId, tokenHash } = session
      const cursor = cursorOf(session)
      announce(userId, cursor)
      const user = followed.get(userId) ?? { cursor, streams: new Map() }
      followed.set(userId, user)
      user.streams.set(stream, tokenHash)
      stream.send(user.cursor)
    },

    /** Returns whether the user has no other stream. */
    remove(stream: EventStream, userId: string): boolean {
      const user = followed.get(userId)
      user?.streams.delete(stream)
      return user?.streams.size === 0 && followed.delete(userId)
    },

    /** Sends the newest cursors, by session, and ends the streams of the sessions that have none. */
    update(sessions: Polled[], newest: ReadonlyMap<string, string>) {
      // First, so that no stream gets a change that was made after the end of its session.
      for (const { userId, tokenHash } of sessions)
        if (!newest.has(tokenHash)) end(followed.get(userId), tokenHash)
      for (const { userId, tokenHash, sent } of sessions) {
        const cursor = newest.get(tokenHash)
        const user = followed.get(userId)
        // Otherwise a newer cursor was announced during the query.
        if (cursor !== undefined && user?.cursor === sent && cursor !== sent) send(user, cursor)
      }
    },
  }
}
