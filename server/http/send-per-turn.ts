import type { FastifyInstance } from 'fastify'

/**
 * Sends the responses that one turn of the event loop makes together, after its last request. Sent one by one, each of
 * them wakes a client or a proxy that waits on the same machine, which takes longer than making most responses.
 */
export function sendPerTurn(app: FastifyInstance) {
  app.addHook('onSend', (_request, _reply, _payload, done) => {
    setImmediate(() => done())
  })
}
