import type { FastifyInstance } from 'fastify'

const [second, hour, day] = [1000, 3_600_000, 86_400_000]

/** All periodic work, with the longest time in milliseconds from the end of one run to the start of the next. */
const periods = {
  /** sweep.ts, with the data of closed accounts */
  'the removal of expired data': hour,
  /** `watchDatabase` in app.ts */
  'the search for faults of the database': second,
  'the inspection of the database': second,
  /** changes/newest-cursors.ts, while a stream is open */
  'the search for new changes': second,
  /** reminders/send-reminders.ts, sooner if something is due before */
  'the sending of reminders': 15 * second,
  /** earlier-servers.ts, sooner during an upgrade */
  'the search for changes of earlier servers': hour,
  /** backups/backup-schedule.ts, which returns when the next backup is due */
  'the scheduled backup': day,
}

/** Returns the milliseconds until the next run, if they are fewer than the period. */
type Work = (stop: AbortSignal) => Promise<number> | Promise<void>

/**
 * Runs the work when the server listens, and then once in each period. A failure is logged, and the next run tries
 * again. A stop aborts the signal and waits for the current run. `once` runs other work once, after the current run.
 * `wake` brings the next run forward, to so many milliseconds from now.
 */
export function every(app: FastifyInstance, name: keyof typeof periods, work: Work) {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  /** When the next run is to begin. No run is planned before the first one has ended. */
  let next = Number.POSITIVE_INFINITY
  let isRunning = true

  function once(other: Work) {
    last = last
      .then<unknown>(() => (stop.signal.aborted ? undefined : other(stop.signal)))
      .catch((error) => {
        if (!stop.signal.aborted) app.log.warn(error, `${name} failed; it will be retried`)
      })
    return last
  }

  function plan(delay: number) {
    next = performance.now() + delay
    clearTimeout(timer)
    if (!stop.signal.aborted) timer = setTimeout(turn, delay).unref()
  }

  async function turn() {
    isRunning = true
    next = Number.POSITIVE_INFINITY
    const [wait, period] = [await once(work), periods[name]]
    isRunning = false
    const delay = typeof wait === 'number' ? Math.min(wait, period) : period
    plan(Math.max(0, Math.min(delay, next - performance.now())))
  }

  app.addHook('onListen', async () => void turn())
  app.addHook('onClose', async () => {
    stop.abort()
    clearTimeout(timer)
    await last
  })
  return {
    once: (other: Work): void => void once(other),
    wake(delay: number) {
      const at = performance.now() + delay
      if (at >= next) return
      if (isRunning) next = at
      else plan(delay)
    },
  }
}
