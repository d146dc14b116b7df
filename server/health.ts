import type { FastifyInstance } from 'fastify'
import type { Backups } from './backups/backup-schedule.ts'
import type { Database } from './database/database.ts'
import { unavailable } from './errors.ts'
import type { LoadShedding } from './http/load-shedding.ts'
import type { Parts } from './parts.ts'

/** The time in milliseconds for which /readyz reuses the result of its database check. */
const checkInterval = 1000

/** Liveness and readiness probes. Load shedding does not apply to them. */
export function healthRoutes(
  app: FastifyInstance,
  { database }: Parts,
  load: LoadShedding,
  backups: Backups | undefined,
) {
  const always = { schema: { hide: true }, config: { neverShed: true, anyHost: true } }
  const databaseIsReachable = remember(() => isReachable(database), checkInterval)

  app.get('/livez', always, () => ({ status: 'alive' }))

  // An overloaded server stays ready: a balancer that took it away would send its load to the others.
  app.get('/readyz', always, async () => {
    const fault = database.fault()
    if (fault) throw unavailable(fault.detail, 60)
    if (load.stuck) throw unavailable('No request has been answered for a minute.')
    if (!(await databaseIsReachable())) throw unavailable('The database does not answer.')
    return { status: 'ready', overloaded: load.overloaded, ...lastBackup(backups) }
  })
}

/** When the newest verified backup was taken, where there is a schedule; null before the first. */
const lastBackup = (backups: Backups | undefined) =>
  backups && { lastVerifiedBackup: backups.lastVerified()?.at ?? null }

export async function isReachable(database: Database): Promise<boolean> {
  if (database.fault()) return false
  try {
    await database.read.selectFrom('users').select('id').limit(1).execute()
    return true
  } catch {
    return false
  }
}

/** Asks once for everybody who asks meanwhile, and for those who ask within `milliseconds` of the answer. */
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
