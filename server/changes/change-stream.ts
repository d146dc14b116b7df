import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { route } from '../http/route.ts'
import type { EventStream } from '../limits/event-streams.ts'
import { sendNewestCursors } from './newest-cursors.ts'

/** The stream of a user's cursors. It follows every write whose route is in the same scope. */
export function changeStream(app: FastifyInstance, context: AppContext) {
  const cursors = sendNewestCursors(app, context)

  route(app, 'GET /changes/stream', (request, reply) => {
    const { session } = request
    const stream: EventStream = app.load.streams.open(request, reply, session.userId, () =>
      cursors.unfollow(stream, session),
    )
    cursors.follow(stream, session)
    return reply
  })
}
