import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { limitConnections } from './connections.ts'
import { limitStreams } from './event-streams.ts'
import type { LoadLimits } from './load-limits.ts'
import { shedLoad } from './load-shedding.ts'
import { limitQueuedResponses } from './queued-responses.ts'
import { limitRequestBodies } from './request-bodies.ts'
import { takeTurns } from './requests-in-turn.ts'

declare module 'fastify' {
  interface FastifyInstance {
    load: LoadProtection
  }
}

/** The current use of each limited resource, and the reader of request bodies. */
type LoadProtection = ReturnType<typeof limitResources>

/**
 * Limits every resource of this process that a client can use, and shares it between networks, so that no client can use
 * all of it.
 */
export function protectFromLoad(app: FastifyInstance, config: Config, limits: LoadLimits) {
  const load = limitResources(app, config, limits)
  app.decorate('load', load)
  return load
}

function limitResources(app: FastifyInstance, config: Config, limits: LoadLimits) {
  const connections = limitConnections(app, config, limits)
  const responses = limitQueuedResponses(limits)
  takeTurns(app, responses.hold)
  return {
    connections,
    requests: shedLoad(app, limits),
    responses,
    streams: limitStreams(app, limits),
    bodies: limitRequestBodies(app, limits),
  }
}
