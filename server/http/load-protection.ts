import type { FastifyInstance } from 'fastify'
import { boundConnections } from './connections.ts'
import type { LoadLimits } from './load-limits.ts'
import { shedLoad } from './load-shedding.ts'
import { boundQueuedAnswers } from './queued-answers.ts'
import { boundRequestBodies } from './request-bodies.ts'

declare module 'fastify' {
  interface FastifyInstance {
    load: LoadProtection
  }
}

/** What is held at the moment, and what reads within its bounds. */
export type LoadProtection = ReturnType<typeof bounds>

/**
 * Bounds everything that a client can make this process hold, and shares it between networks, so that no client can
 * take all of anything.
 */
export function protectFromLoad(app: FastifyInstance, trustedProxies: string[], limits: LoadLimits) {
  const load = bounds(app, trustedProxies, limits)
  app.decorate('load', load)
  return load
}

function bounds(app: FastifyInstance, trustedProxies: string[], limits: LoadLimits) {
  return {
    connections: boundConnections(app, trustedProxies, limits),
    requests: shedLoad(app, limits),
    answers: boundQueuedAnswers(app, limits),
    bodies: boundRequestBodies(app, limits),
  }
}
