import type { FastifyInstance } from 'fastify'
import type { Parts } from './parts.ts'
import { sessionLife } from './sessions/authenticate.ts'
import { sweepSessions } from './sessions/session-queries.ts'
import { sweepAttempts } from './throttling/attempts.ts'
import { knownSite, longestWindow } from './throttling/policies.ts'

const hour = 3_600_000

/** Removes, now and every hour, what no request looks at any more. Several servers doing so is no harm. */
export function sweepHourly(app: FastifyInstance, { config, database }: Parts) {
  const sweep = () =>
    database
      .write(async (db) => {
        const now = Date.now()
        await sweepSessions(db, sessionLife(config), now)
        await sweepAttempts(db, now, { known: knownSite.window, other: longestWindow(config.signupRate) })
      })
      .catch((error) => app.log.warn(error, 'the hourly sweep failed'))
  const timer = setInterval(sweep, hour).unref()
  app.addHook('onReady', sweep)
  app.addHook('onClose', () => clearInterval(timer))
}
