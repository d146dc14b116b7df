import type { FastifyInstance, FastifyRequest } from 'fastify'
import { feedLimits } from '#contract/limits.ts'
import { cursorOf } from '../changes/change-log.ts'
import type { AppContext } from '../context.ts'
import type { Session } from '../sessions/session-queries.ts'
import { calendarOf } from './calendar.ts'
import { findFeedTasks } from './feed-queries.ts'

type FeedRequest = { Params: { file: string }; Querystring: { done?: unknown } }

/** The token in the address, because calendar programs send no headers of their own. */
const tokenIn = ({ params }: FastifyRequest) =>
  /^([\w-]{1,128})\.ics$/.exec((params as FeedRequest['Params']).file)?.[1]

/** The calendar of an account: `/feed/{token}.ics`, with `?done=true` also the tasks that were completed lately. */
export function feedRoutes(app: FastifyInstance, { database }: AppContext) {
  app.get<FeedRequest>(
    '/feed/:file',
    { schema: { hide: true }, onRequest: app.authenticate('feed', 404, tokenIn) },
    async (request, reply) => {
      const { userId, name, ...session } = request.session as Session
      const now = Date.now()
      const withDone = request.query.done === 'true'
      // The tasks that are shown depend on the day, too.
      const etagOf = (cursor: string) =>
        `W/"${cursor}.${Math.floor(now / 86_400_000)}${withDone ? '.done' : ''}"`
      reply.header('cache-control', 'private, no-cache')
      const asked = request.headers['if-none-match']?.split(/\s*,\s*/) ?? []
      const known = etagOf(cursorOf(session))
      if (asked.includes(known)) return reply.code(304).header('etag', known).send()
      const wanted = { now, withDone, limit: feedLimits.events }
      const { tasks, isCut, newest } = await findFeedTasks(database.read, userId, wanted)
      const description = isCut
        ? `Tasks with a date, of which this calendar has ${feedLimits.events.toLocaleString('en')} at most. Others are left out.`
        : 'Tasks with a date.'
      if (newest !== undefined) reply.header('etag', etagOf(newest))
      reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="daymark.ics"')
      return reply.send(await calendarOf(tasks, { name, description, now }))
    },
  )
}
