import type { FastifyInstance } from 'fastify'
import { every } from './background.ts'
import type { Kinds } from './changes/item-kind.ts'
import { sweepChanges } from './changes/sweep-changes.ts'
import type { AppContext } from './context.ts'
import { deleteInBatches } from './database/expired-rows.ts'
import { measured, publishSeconds } from './measured.ts'
import { thinVersions } from './notes/note-versions.ts'
import { sessionLife } from './sessions/authenticate.ts'
import { sweepSessions } from './sessions/session-queries.ts'
import { deleteClosedAccounts } from './users/account-deletion.ts'
import { sweepAttempts } from './users/attempts.ts'
import { knownSite, longestWindow } from './users/policies.ts'

/** The maximum number of rows of sessions or attempts in one transaction. */
const rowsPerSweep = 500

type Sweeper = {
  deleteClosedAccounts(): void
}

/**
 * Deletes expired sessions, old attempts, old changes and versions, and the data of closed accounts: after the start, every
 * hour, and on request for closed accounts. Each transaction deletes a limited number of rows, so that requests between them
 * are not delayed. Work that a stop or crash interrupts is resumed after the next start. Several servers can run this
 * concurrently.
 */
export function startSweeper(app: FastifyInstance, { config, database }: AppContext, kinds: Kinds): Sweeper {
  const deletions = (stop: AbortSignal) => deleteClosedAccounts(database, stop)

  async function sweep(stop: AbortSignal) {
    const began = performance.now()
    const [now, life] = [Date.now(), sessionLife(config)]
    const windows = { known: knownSite.window, other: longestWindow(config.signupRate) }
    const deleteRows = deleteInBatches(database, rowsPerSweep, stop)
    await deletions(stop)
    await sweepChanges(database, kinds, now, stop)
    await thinVersions(database, now, stop)
    await sweepSessions(deleteRows, life, now)
    await sweepAttempts(deleteRows, now, windows)
    publishSeconds('sweep', began)
  }

  const { once: runOnce } = every(app, 'the removal of expired data', countFailures(sweep))
  return { deleteClosedAccounts: () => runOnce(countFailures(deletions)) }
}

const countFailures = (work: (stop: AbortSignal) => Promise<void>) => (stop: AbortSignal) =>
  work(stop).catch((error) => {
    measured.sweepFailure.publish(undefined)
    throw error
  })
