import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Milliseconds: how long clients that keep their connection are told, with an answer, that it ends; then how long what
 * is still being answered may take.
 */
const patience = { farewell: 1000, answers: 5000 }

/** Prepares the app for `stop`, which ends it without cutting off anybody who is being answered. */
export function gracefulStop(app: FastifyInstance): () => Promise<void> {
  let stopping = false
  app.addHook('onRequest', (_request, reply, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
  return async () => {
    stopping = true
    await delay(patience.farewell)
    const late = setTimeout(() => app.server.closeAllConnections(), patience.answers)
    await app.close()
    clearTimeout(late)
  }
}
