import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import type { EventStream } from '../http/event-streams.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { findSessions, type Session } from '../sessions/session-queries.ts'
import { cursorOf } from './change-log.ts'

/** Milliseconds from the end of one poll to the start of the next. */
const pollEvery = 1000

/** The maximum number of sessions in one query of a poll. */
const sessionsPerQuery = 200

/** A user with open streams: the newest cursor sent to them, and each stream's session. */
type Followed = { cursor: string; streams: Map<EventStream, string> }

type Polled = { userId: string; tokenHash: string; sent: string }

const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

/**
 * Sends new cursors to the open streams of their users. Changes by this process are announced after their commit;
 * one poller finds those by other servers, and the sessions that have ended. It runs only while a stream is open.
 */
export function followHeads(app: FastifyInstance, { config, database }: AppContext) {
  const life = sessionLife(config)
  const followed = new Map<string, Followed>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let isFailing = false
  let isClosed = false

  function pollLater() {
    timer = setTimeout(async () => {
      running = poll()
      await running
      timer = undefined
      if (followed.size > 0 && !isClosed) pollLater()
    }, pollEvery).unref()
  }

  async function poll() {
    const sessions = [...followed].flatMap(([userId, { cursor, streams }]) =>
      [...new Set(streams.values())].map((tokenHash) => ({ userId, tokenHash, sent: cursor })),
    )
    try {
      for (let from = 0; from < sessions.length && !isClosed; from += sessionsPerQuery)
        await check(sessions.slice(from, from + sessionsPerQuery))
      isFailing = false
    } catch (error) {
      if (!isFailing) app.log.warn(error, 'the newest changes could not be read; trying again every second')
      isFailing = true
    }
  }

  async function check(sessions: Polled[]) {
    const valid = await findSessions(database.read, sessions, life, Date.now())
    const newest = new Map(valid.map(({ tokenHash, ...head }) => [tokenHash, cursorOf(head)]))
    for (const { userId, tokenHash, sent } of sessions) {
      const cursor = newest.get(tokenHash)
      const user = followed.get(userId)
      if (!user) continue
      if (cursor === undefined) endStreams(user, tokenHash)
      // Otherwise a newer cursor was announced during the query.
      else if (user.cursor === sent && cursor !== sent) send(user, cursor)
    }
  }

  function endStreams({ streams }: Followed, tokenHash: string) {
    for (const [stream, session] of streams) if (session === tokenHash) stream.end()
  }

  function send(user: Followed, cursor: string) {
    user.cursor = cursor
    for (const stream of user.streams.keys()) stream.send(cursor)
  }

  /** Sends a cursor of this user after a commit. A lower number is older, since numbers are given in order. */
  function announce(userId: string, cursor: string) {
    const user = followed.get(userId)
    if (user && seqOf(cursor) > seqOf(user.cursor)) send(user, cursor)
  }

  /** Sends the current cursor to the stream, and each newer one until `unfollow`. */
  function follow(stream: EventStream, session: Session) {
    const { userId, tokenHash } = session
    const cursor = cursorOf(session)
    announce(userId, cursor)
    const user = followed.get(userId) ?? { cursor, streams: new Map() }
    followed.set(userId, user)
    user.streams.set(stream, tokenHash)
    stream.send(user.cursor)
    if (!timer) pollLater()
  }

  function unfollow(stream: EventStream, { userId }: Session) {
    const user = followed.get(userId)
    user?.streams.delete(stream)
    if (user?.streams.size === 0) followed.delete(userId)
  }

  app.addHook('onClose', async () => {
    isClosed = true
    clearTimeout(timer)
    await running
  })

  return { announce, follow, unfollow }
}
