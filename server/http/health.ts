import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { isReachable } from '../database/is-reachable.ts'
import { unavailable } from '../errors.ts'
import type { LoadShedding } from './load-shedding.ts'

/** The time in milliseconds for which /readyz reuses the result of its database check. */
const checkInterval = 1000

/**
 * Liveness and readiness probes. Load shedding does not apply to them. `details` returns further fields of the readiness
 * response.
 */
export function healthRoutes(
  app: FastifyInstance,
  database: Database,
  load: LoadShedding,
  details: () => object,
) {
  const always = { schema: { hide: true }, config: { neverShed: true, anyHost: true } }
  const databaseIsReachable = remember(() => isReachable(database), checkInterval)

  app.get('/livez', always, () => ({ status: 'alive' }))

  // An overloaded server stays ready: a load balancer that removed it would send its load to the others.
  app.get('/readyz', always, async () => {
    const fault = database.fault()
    if (fault) throw unavailable(fault.detail, 60)
    if (load.stuck) throw unavailable('No request has been answered for a minute.')
    if (!(await databaseIsReachable())) throw unavailable('The database does not answer.')
    return { status: 'ready', overloaded: load.overloaded, ...details() }
  })
}

/** Calls `ask` once for all concurrent callers, and reuses its result for `milliseconds`. */
function remember<T>(ask: () => Promise<T>, milliseconds: number): () => Promise<T> {
  let answer: Promise<T> | undefined
  let until = Number.POSITIVE_INFINITY
  return () => {
    if (!answer || performance.now() > until) {
      until = Number.POSITIVE_INFINITY
      answer = ask().finally(() => {
        until = performance.now() + milliseconds
      })
    }
    return answer
  }
}
