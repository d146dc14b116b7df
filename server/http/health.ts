import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { canStore, whyUnreachable } from '../database/is-reachable.ts'
import { HttpError, unavailable } from '../errors.ts'
import type { LoadShedding } from '../fairness/load-shedding.ts'

/** In milliseconds. /readyz reuses the result of its database check for so long. */
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
  const always = {
    schema: { hide: true },
    config: { neverShed: true, anyHost: true },
    onRequest: (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      reply.header('cache-control', 'no-store')
      done()
    },
  }
  const unreachable = remember(() => whyUnreachable(database), checkInterval)

  /** Whether the last change found no space. Only then, a probe writes. */
  let isFull = false
  const storeAgain = remember(async () => {
    // A change that finds no space meanwhile sets it again.
    isFull = false
    isFull ||= !(await canStore(database, Date.now()))
  }, checkInterval)
  app.addHook('onError', (_request, _reply, error, done) => {
    isFull ||= database.explain(error)?.status === 507
    done()
  })

  app.get('/livez', always, () => ({ status: 'alive' }))

  // An overloaded server stays ready: a load balancer that removed it would send its load to the others.
  app.get('/readyz', always, async () => {
    const fault = database.fault()
    if (fault) throw new HttpError(fault.code, { seconds: 60, outcome: null })
    if (load.stuck) throw unavailable('stuck')
    const reason = await unreachable()
    if (reason) throw unavailable(reason)
    if (isFull) await storeAgain()
    if (isFull) throw unavailable('no-space-left', 60)
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
