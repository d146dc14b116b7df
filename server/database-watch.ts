import type { FastifyInstance } from 'fastify'
import { every } from './background.ts'
import type { Database, Fault } from './database/database.ts'

/** Looks for faults of the database while the server listens, and logs the start and the end of a fault. */
export function watchDatabase(app: FastifyInstance, database: Database) {
  let current: Fault | undefined
  every(app, 'the search for faults of the database', async () => {
    const fault = database.fault()
    if (fault && fault.report !== current?.report) app.log.error(`database: ${fault.report}`)
    if (!fault && current) app.log.warn('database: the fault is resolved; changes are stored again')
    current = fault
  })
  every(app, 'the inspection of the database', async (stop) => {
    if (!database.fault()) await database.inspect(stop)
  })
}
