import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { HttpError, unavailable } from '../errors.ts'

/** Milliseconds. In the handover clients and proxies leave. Requests in progress then have `requests` to finish. */
const timeouts = { handover: 1000, requests: 5000 }

/**
 * Registers the hook that a graceful stop needs, and returns the function that stops the app. From its call on, /readyz is
 * 503 and every response closes its connection, so that the clients of keep-alive connections leave.
 *
 * `drain`: the seconds for which the server then still serves, so that a load balancer notices. Streams end one after
 * another meanwhile. A proxy that does not ask for /readyz, such as nginx, learns of the stop in the handover: reads get a
 * 502, and the proxy repeats them on another server. Changes are still applied, because no proxy may send them twice.
 */
export function gracefulStop(app: FastifyInstance, drain: number): () => Promise<void> {
  let [isStopping, isLeaving] = [false, false]
  app.addHook('onRequest', (request, reply, done) => {
    if (!isStopping) return done()
    reply.header('connection', 'close')
    const { config, url } = request.routeOptions
    if (url === '/readyz') return done(unavailable('stopping'))
    const isRead = ['GET', 'HEAD'].includes(request.method) && !config.neverShed
    const isForAnother = drain > 0 && isRead && (isLeaving || config.isStream)
    done(isForAnother ? new HttpError('going-away') : undefined)
  })
  return async () => {
    isStopping = true
    // Their clients connect to another server, or to this one after its restart.
    app.load.streams.endAll(drain)
    await delay(drain * 1000)
    isLeaving = true
    await delay(timeouts.handover)
    await closeListener(app)
    const timer = setTimeout(() => app.server.closeAllConnections(), timeouts.requests)
    await app.close()
    clearTimeout(timer)
  }
}

/** Closes the listener when no connection waits to be accepted, because the operating system resets those that do. */
async function closeListener({ server }: FastifyInstance) {
  const end = performance.now() + timeouts.handover
  let isAccepting = true
  server.on('connection', () => {
    isAccepting = true
  })
  while (isAccepting && performance.now() < end) {
    isAccepting = false
    // The first turn may still be the current one. Before the second turn, the event loop looks for new connections.
    await nextTurn()
    await nextTurn()
  }
  server.close()
}
