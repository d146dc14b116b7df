import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { limitConnections } from './connections.ts'
import { limitStreams } from './event-streams.ts'
import { EvictingPool, type Holder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { shedLoad } from './load-shedding.ts'
import { bodyReader } from './request-bodies.ts'
import { takeTurns } from './requests-in-turn.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The current use of each limited resource, and the reader of request bodies. */
    load: ReturnType<typeof limitLoad>
  }
}

/**
 * Limits every resource of this process that a client can use, and shares it between networks, so that no client can use
 * all of it.
 */
export function limitLoad(app: FastifyInstance, config: Config, limits: LoadLimits) {
  const waitingBytes = new EvictingPool<Holder>(limits.waitingBytes)
  const connections = limitConnections(app, config, limits)
  takeTurns(app, waitingBytes)
  return {
    waitingBytes,
    connections,
    requests: shedLoad(app, limits),
    streams: limitStreams(app, limits),
    readBody: bodyReader(app, waitingBytes),
  }
}
