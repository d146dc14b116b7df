import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { feedLimits } from '#contract/limits.ts'
import { cursorOf } from '../changes/change-log.ts'
import type { AppContext } from '../context.ts'
import type { Session } from '../sessions/session-queries.ts'
import { calendarOf } from './calendar.ts'
import { createCompression } from './compression.ts'
import { findFeedTasks } from './feed-queries.ts'

type FeedRequest = { Params: { file: string }; Querystring: { done?: unknown } }

/** The token in the address, because calendar programs send no headers of their own. */
const tokenIn = ({ params }: FastifyRequest) =>
  /^([\w-]{1,128})\.ics$/.exec((params as FeedRequest['Params']).file)?.[1]

/** The most calendars whose ETags are kept, with the state that they show: while nothing changes, they are neither read nor made. */
const knownCalendars = 10_000

/** The calendar of an account: `/feed/{token}.ics`, with `?done=true` also the tasks that were completed lately. */
export function feedRoutes(app: FastifyInstance, { database }: AppContext) {
  const made = new LRUCache<string, { state: string; etag: string }>({ max: knownCalendars })
  const compressed = createCompression()

  app.get<FeedRequest>(
    '/feed/:file',
    { schema: { hide: true }, onRequest: app.authenticate('feed', 404, tokenIn) },
    async (request, reply) => {
      const { userId, tokenHash, name, ...session } = request.session as Session
      const now = Date.now()
      const withDone = request.query.done === 'true'
      // The tasks that are shown depend on the day, too.
      const stateOf = (cursor: string) => `${cursor} ${Math.floor(now / 86_400_000)}`
      reply.headers({ 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
      const isKnown = isNamedIn(request.headers['if-none-match'])
      const key = `${tokenHash} ${withDone}`
      const last = made.get(key)
      if (last?.state === stateOf(cursorOf(session)) && isKnown(last.etag))
        return reply.code(304).header('etag', last.etag).send()
      const wanted = { now, withDone, limit: feedLimits.events }
      const { tasks, isCut, newest } = await findFeedTasks(database.read, userId, wanted)
      const description = isCut
        ? `Tasks with a date, of which this calendar has ${feedLimits.events.toLocaleString('en')} at most. Others are left out.`
        : 'Tasks with a date.'
      const text = await calendarOf(tasks, { name, description })
      const etag = `W/"${hash('sha256', text, 'base64url')}"`
      if (newest !== undefined) made.set(key, { state: stateOf(newest), etag })
      reply.header('etag', etag)
      if (isKnown(etag)) return reply.code(304).send()
      reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="daymark.ics"')
      const { encoding, bytes } = await compressed(userId, text, request.headers['accept-encoding'])
      if (encoding) reply.header('content-encoding', encoding)
      return reply.send(bytes)
    },
  )
}

/** Returns a function that says whether an `If-None-Match` header names an ETag. The comparison is the weak one, which ignores `W/`. */
function isNamedIn(header = '') {
  const names = header.split(',').map((name) => name.trim().replace(/^W\//, ''))
  return (etag: string) => names.includes('*') || names.includes(etag.replace(/^W\//, ''))
}
