import type { FastifyInstance } from 'fastify'
import type { AppContext } from './context.ts'
import { inKeyRanges } from './database/key-ranges.ts'
import { sessionLife } from './sessions/authenticate.ts'
import { sweepSessions } from './sessions/session-queries.ts'
import { sweepAttempts } from './throttling/attempts.ts'
import { knownSite, longestWindow } from './throttling/policies.ts'
import { deleteClosedAccounts } from './users/account-deletion.ts'

const hour = 3_600_000

/** Rows of sessions or attempts that one transaction looks at. */
const rowsPerSweep = 500

export type Sweeper = {
  /** Deletes what closed accounts hold, soon and without anybody waiting for it. */
  deleteClosedAccounts(): void
}

/**
 * Removes what no request looks at any more: once the server listens, every hour, and what closed accounts hold when
 * asked to. One transaction at a time, each of a bounded number of rows, so that the requests between them are not held
 * up. What a stop or a crash interrupts is resumed after the next start. Several servers may do it at the same time.
 */
export function startSweeper(app: FastifyInstance, { config, database }: AppContext): Sweeper {
  const stop = new AbortController()
  let last = Promise.resolve()

  const deletions = () => deleteClosedAccounts(database, stop.signal)
  async function sweep() {
    const [now, life] = [Date.now(), sessionLife(config)]
    const windows = { known: knownSite.window, other: longestWindow(config.signupRate) }
    await deletions()
    await inKeyRanges(database, 'sessions', rowsPerSweep, stop.signal, (db, range) =>
      sweepSessions(db, life, now, range),
    )
    await inKeyRanges(database, 'attempts', rowsPerSweep, stop.signal, (db, range) =>
      sweepAttempts(db, now, windows, range),
    )
  }

  const enqueue = (work: () => Promise<void>) => {
    last = last
      .then(work)
      .catch((error) => app.log.warn(error, 'removing what is no longer needed failed; it is tried again'))
  }

  const timer = setInterval(() => enqueue(sweep), hour).unref()
  app.addHook('onListen', async () => enqueue(sweep))
  app.addHook('onClose', async () => {
    clearInterval(timer)
    stop.abort()
    await last
  })
  return { deleteClosedAccounts: () => enqueue(deletions) }
}
