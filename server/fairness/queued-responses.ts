import type { FastifyReply } from 'fastify'
import { EvictingPool, type Holder, largestHolder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { networkOf } from './network.ts'

/**
 * Limits the memory for responses that clients do not read. Above the limit, the connection with the largest unread
 * response of the network with the most unread bytes is closed. A connection has at most one such response.
 */
export function limitQueuedResponses(limits: LoadLimits) {
  const pool = new EvictingPool<Holder>(limits.queuedBytes, largestHolder)

  return {
    /** Counts a response that is sent now. */
    hold({ raw, request }: FastifyReply, bytes: number) {
      if (raw.closed) return
      const { socket } = request.raw
      const response: Holder = { network: networkOf(request.ip), evict: () => socket.destroy() }
      // The listener is added first, because `hold` may evict this response at once.
      raw.on('close', () => pool.release(response))
      pool.hold(response, bytes)
    },
    /** Bytes that clients have not read. */
    get bytes() {
      return pool.used
    },
  }
}
