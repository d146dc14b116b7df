import type { FastifyInstance } from 'fastify'

const [second, hour, day] = [1000, 3_600_000, 86_400_000]

/** All periodic work, with the longest time in milliseconds from the end of one run to the start of the next. */
const periods = {
  /** sweep.ts, with the data of closed accounts */
  'the removal of expired data': hour,
  /** database-watch.ts */
  'the search for faults of the database': second,
  'the inspection of the database': second,
  /** changes/newest-cursors.ts, while a stream is open */
  'the search for new changes': second,
  /** reminders/reminder-sender.ts, sooner while there are messages */
  'the sending of reminders': second,
  /** earlier-servers.ts, sooner during an upgrade */
  'the search for changes of earlier servers': hour,
  /** backups/backup-schedule.ts, which returns when the next backup is due */
  'the scheduled backup': day,
}

/** Returns the milliseconds until the next run, if they are fewer than the period. */
type Work = (stop: AbortSignal) => Promise<number> | Promise<void>

/**
 * Runs the work when the server listens, and then once in each period. A failure is logged, and the next run tries again. A stop
 * aborts the signal and waits for the current run. Returns a function that runs other work once, after the current run.
 */
export function every(app: FastifyInstance, name: keyof typeof periods, work: Work): (once: Work) => void {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function run(next: Work) {
    last = last
      .then<unknown>(() => (stop.signal.aborted ? undefined : next(stop.signal)))
      .catch((error) => {
        if (!stop.signal.aborted) app.log.warn(error, `${name} failed; it will be retried`)
      })
    return last
  }

  async function turn() {
    const [wait, period] = [await run(work), periods[name]]
    const delay = typeof wait === 'number' ? Math.min(wait, period) : period
    if (!stop.signal.aborted) timer = setTimeout(turn, delay).unref()
  }

  app.addHook('onListen', async () => void turn())
  app.addHook('onClose', async () => {
    stop.abort()
    clearTimeout(timer)
    await last
  })
  return run
}
