import type { FastifyInstance } from 'fastify'
import { EvictingPool, type Holder, largestHolder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { networkOf } from './network.ts'

/** Smaller answers fit into the buffers of the operating system, and are bounded by the number of requests. */
const smallBytes = 16 * 1024

export type QueuedAnswers = ReturnType<typeof boundQueuedAnswers>

/**
 * Bounds the answers that clients ask for and do not read: beyond the bound the network with the most of them unread
 * loses its largest one, and the connection with it. A connection has at most one.
 */
export function boundQueuedAnswers(app: FastifyInstance, limits: LoadLimits) {
  const pool = new EvictingPool<Holder>(limits.queuedBytes, largestHolder)

  app.addHook('onSend', ({ raw, ip }, reply, payload, done) => {
    const isText = typeof payload === 'string'
    if (!(isText || Buffer.isBuffer(payload)) || payload.length <= smallBytes) return done()
    const { socket } = raw
    if (reply.raw.closed) return done()
    const bytes = isText ? Buffer.byteLength(payload) : payload.length
    const answer: Holder = { network: networkOf(ip), evict: () => socket.destroy() }
    // Listens first: an answer that has to go at once is released like any other.
    reply.raw.on('close', () => pool.release(answer))
    pool.hold(answer, bytes)
    done()
  })

  return {
    /** Bytes that clients have not taken yet. */
    get bytes() {
      return pool.used
    },
  }
}
