import type { FastifyInstance } from 'fastify'
import type { Database, Fault } from './database/database.ts'

const second = 1000

/** Looks at the database every second while the server listens, and logs when a fault comes and when it goes. */
export function watchDatabase(app: FastifyInstance, database: Database) {
  const closing = new AbortController()
  let known: Fault | undefined
  let timer: NodeJS.Timeout
  let inspection = Promise.resolve()

  function look() {
    const fault = database.fault()
    if (fault && fault.report !== known?.report) app.log.error(`database: ${fault.report}`)
    if (!fault && known) app.log.warn('database: the fault is gone, changes are stored again')
    known = fault
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
    timer = setInterval(look, second).unref()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    closing.abort()
    await inspection
  })
}
