import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Milliseconds. During `keepAlive` the server still accepts requests and answers them with `Connection: close`, so that
 * clients with keep-alive connections disconnect. Requests in progress then have `requests` to finish.
 */
const timeouts = { keepAlive: 1000, requests: 5000 }

/** Registers the hook that a graceful stop needs, and returns the function that stops the app. */
export function gracefulStop(app: FastifyInstance): () => Promise<void> {
  let stopping = false
  app.addHook('onRequest', (_request, reply, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
  return async () => {
    stopping = true
    // Their clients connect to another server, or to this one after its restart.
    app.load.streams.endAll()
    await delay(timeouts.keepAlive)
    const timer = setTimeout(() => app.server.closeAllConnections(), timeouts.requests)
    await app.close()
    clearTimeout(timer)
  }
}
