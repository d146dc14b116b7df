import type { FastifyInstance } from 'fastify'
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
  app.addHook('onRequest', (request, _reply, done) => {
    const isShed = ++answering > most.answering && !request.routeOptions.config.neverShed
    done(isShed ? unavailable('The server has more to do than it can. Try again in a moment.', 2) : undefined)
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    answering--
    done()
  })
}
