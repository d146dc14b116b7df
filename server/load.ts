import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however much else there is to do. */
    neverShed?: boolean
  }
}

/** Connections, and requests being answered at once. What comes beyond them would only make everybody wait. */
const most = { connections: 12_000, answering: 2000 }

/** Refuses early what cannot be answered soon, so that those who are served are served as fast as ever. */
export function boundLoad(app: FastifyInstance) {
  app.server.maxConnections = most.connections
  let answering = 0
  const refusal = ({ routeOptions }: FastifyRequest) =>
    answering >= most.answering && !routeOptions.config.neverShed
      ? unavailable('The server has more to do than it can. Try again in a moment.', 2)
      : undefined

  // At the door, before so much as a token is looked up.
  app.addHook('onRequest', (request, _reply, done) => done(refusal(request)))

  // A request takes a place once it is all there: one whose body comes slowly keeps nobody else out.
  app.addHook('preValidation', (request, reply, done) => {
    const refused = refusal(request)
    if (refused) return done(refused)
    answering++
    // Fastify's onResponse is not told of clients that went away before their answer.
    reply.raw.once('close', () => answering--)
    done()
  })
}
