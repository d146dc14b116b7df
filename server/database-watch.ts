import type { FastifyInstance } from 'fastify'
import type { Database, Fault } from './database/database.ts'

const second = 1000

/** Checks the database every second while the server listens, and logs the start and the end of a fault. */
export function watchDatabase(app: FastifyInstance, database: Database) {
  const closing = new AbortController()
  let current: Fault | undefined
  let timer: NodeJS.Timeout
  let inspection = Promise.resolve()

  function check() {
    const fault = database.fault()
    if (fault && fault.report !== current?.report) app.log.error(`database: ${fault.report}`)
    if (!fault && current) app.log.warn('database: the fault is resolved; changes are stored again')
    current = fault
    if (!fault) inspection = inspection.then(inspect)
  }

  async function inspect() {
    if (closing.signal.aborted) return
    try {
      await database.inspect(closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) app.log.warn(error, 'the database could not be inspected')
    }
  }

  app.addHook('onListen', async () => {
    timer = setInterval(check, second).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    closing.abort()
    await inspection
  })
}
