import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import type { EventStream } from '../fairness/event-streams.ts'
import { route } from '../http/route.ts'
import { authenticate } from '../sessions/authenticate.ts'
import { cursorHeader } from './change-log.ts'
import { sendNewestCursors } from './newest-cursors.ts'

/** The stream of a user's cursors. It follows every write whose route is in the same scope. */
export function changeStream(app: FastifyInstance, context: AppContext) {
  const cursors = sendNewestCursors(app, context)

  // A write sends its response after its commit.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const cursor = reply.getHeader(cursorHeader)
    if (request.method !== 'GET' && typeof cursor === 'string')
      cursors.announce(request.session.userId, cursor)
    done()
  })

  route(app, 'GET /changes/stream', { onRequest: authenticate(context) }, (request, reply) => {
    const { session } = request
    const stream: EventStream = app.load.streams.open(request, reply, session.userId, () =>
      cursors.unfollow(stream, session),
    )
    cursors.follow(stream, session)
    return reply
  })
}
