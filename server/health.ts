import type { FastifyInstance } from 'fastify'
import type { Backups } from './backups/backup-schedule.ts'
import type { Database } from './database/database.ts'
import { unavailable } from './errors.ts'
import type { Parts } from './parts.ts'

/** Liveness and readiness probes. Load shedding does not apply to them. */
export function healthRoutes(app: FastifyInstance, { database }: Parts, backups: Backups | undefined) {
  const always = { schema: { hide: true }, config: { neverShed: true } }

  app.get('/livez', always, () => ({ status: 'alive' }))

  app.get('/readyz', always, async () => {
    if (!(await isReachable(database))) throw unavailable('The database does not answer.')
    return { status: 'ready', ...lastBackup(backups) }
  })
}

/** When the newest verified backup was taken, where there is a schedule; null before the first. */
const lastBackup = (backups: Backups | undefined) =>
  backups && { lastVerifiedBackup: backups.lastVerified()?.at ?? null }

export async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.read.selectFrom('users').select('id').limit(1).execute()
    return true
  } catch {
    return false
  }
}
