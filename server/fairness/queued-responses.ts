import type { FastifyInstance } from 'fastify'
import { EvictingPool, type Holder, largestHolder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { networkOf } from './network.ts'

/** Smaller responses fit into the buffers of the operating system; the number of requests limits them. */
const smallBytes = 16 * 1024

/**
 * Limits the memory for responses that clients do not read. Above the limit, the connection with the largest unread
 * response of the network with the most unread bytes is closed. A connection has at most one such response.
 */
export function limitQueuedResponses(app: FastifyInstance, limits: LoadLimits) {
  const pool = new EvictingPool<Holder>(limits.queuedBytes, largestHolder)

  app.addHook('onSend', ({ raw, ip }, reply, payload, done) => {
    // Texts of this length are sent as bytes: see requests-in-turn.ts.
    if (!Buffer.isBuffer(payload) || payload.length <= smallBytes) return done()
    const { socket } = raw
    if (reply.raw.closed) return done()
    const response: Holder = { network: networkOf(ip), evict: () => socket.destroy() }
    // The listener is added first, because `hold` may evict this response at once.
    reply.raw.on('close', () => pool.release(response))
    pool.hold(response, payload.length)
    done()
  })

  return {
    /** Bytes that clients have not read. */
    get bytes() {
      return pool.used
    },
  }
}
