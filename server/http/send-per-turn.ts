import type { FastifyInstance } from 'fastify'

/**
 * Sends the responses that one turn of the event loop makes together, after its last request. Sent one by one, each of
 * them wakes a client or a proxy that waits on the same machine, which takes longer than making most responses.
 *
 * Registered before all other `onSend` hooks: Fastify catches what sending throws only if it follows another hook.
 */
export function sendPerTurn(app: FastifyInstance) {
  let ready: (() => void)[] = []

  function sendAll() {
    const responses = ready
    ready = []
    for (const send of responses) send()
  }

  app.addHook('onSend', (_request, _reply, _payload, done) => {
    if (ready.length === 0) setImmediate(sendAll)
    ready.push(() => done())
  })
}
