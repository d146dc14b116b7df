import { type Channel, channel } from 'node:diagnostics_channel'

export type Timed = 'connectionWait' | 'statement' | 'poll' | 'sweep' | 'reminderSent'
export type Counted = 'retry' | 'pollFailure' | 'sweepFailure' | 'reminderFailure'

/**
 * The events that http/measurements.ts counts, published where they happen: `{ seconds }` of an event, and nothing of a failure.
 * Without METRICS_PORT nobody subscribes, and publishing takes no time.
 */
export const measured: Record<Timed | Counted, Channel> = {
  connectionWait: channel('daymark:connection-wait'),
  statement: channel('daymark:statement'),
  retry: channel('daymark:retry'),
  poll: channel('daymark:poll'),
  pollFailure: channel('daymark:poll-failure'),
  sweep: channel('daymark:sweep'),
  sweepFailure: channel('daymark:sweep-failure'),
  /** A push service took a message, so many seconds after its reminder was due. */
  reminderSent: channel('daymark:reminder-sent'),
  reminderFailure: channel('daymark:reminder-failure'),
}

/** Publishes the time since `began`, a value of `performance.now()`. */
export const publishSeconds = (event: Timed, began: number) =>
  measured[event].publish({ seconds: (performance.now() - began) / 1000 })
