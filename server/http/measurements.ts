import type { Channel } from 'node:diagnostics_channel'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { apiBase } from '#contract/limits.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { isReachable } from '../database/is-reachable.ts'
import { writeBatches } from '../database/write-queue.ts'
import { type Counted, measured, type Timed } from '../measured.ts'

/** The time of the last verified backup in milliseconds since 1970, if there are backups. */
export type LastBackup = (() => number | undefined) | undefined

/** In seconds. A statement that takes longer is slow. */
const slow = 0.5

/** In seconds. */
const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Measures the app until it is closed. Events are published on diagnostics channels where they happen; without a subscriber that
 * costs nothing. Requests are labelled with the route's pattern, not with the path, which a client controls.
 */
export function measure(app: FastifyInstance, config: Config, database: Database, lastBackup: LastBackup) {
  const registry = new Registry()
  // Includes event loop lag and process memory.
  collectDefaultMetrics({ register: registry })
  const instruments = instrumentsOf(app, registry)
  measureRequests(app, registry, instruments)
  measureDatabase(database, instruments)
  measureBackgroundWork(instruments)
  measureReminders(instruments)
  measureSpace(config, lastBackup, instruments)
  return registry
}

type Instruments = ReturnType<typeof instrumentsOf>

/** Makes instruments of this registry, which listen until the app is closed. */
function instrumentsOf(app: FastifyInstance, registry: Registry) {
  const registers = [registry]
  const closing = new AbortController()
  app.addHook('onClose', () => closing.abort())
  function onEvent<Event>(source: Channel, listener: (event: Event) => void) {
    const onMessage = (message: unknown) => listener(message as Event)
    source.subscribe(onMessage)
    closing.signal.addEventListener('abort', () => source.unsubscribe(onMessage))
  }

  return {
    onEvent,
    counter: (name: string, help: string) => new Counter({ name, help, registers }),
    histogram: (name: string, help: string, buckets: number[]) =>
      new Histogram({ name, help, buckets, registers }),
    seconds(event: Timed, name: string, help: string, buckets = fast) {
      const histogram = new Histogram({ name, help, buckets, registers })
      onEvent<{ seconds: number }>(measured[event], ({ seconds }) => histogram.observe(seconds))
    },
    count(event: Counted, name: string, help: string) {
      const counter = new Counter({ name, help, registers })
      onEvent(measured[event], () => counter.inc())
    },
    /** A value that is read whenever Prometheus asks. Undefined: not known yet. */
    gauge: (name: string, help: string, read: () => number | undefined | Promise<number>) =>
      new Gauge({
        ...{ name, help, registers },
        async collect() {
          const value = await read()
          if (value !== undefined) this.set(value)
        },
      }),
  }
}

const runningWork: Record<string, string> = {
  [`GET ${apiBase}/export`]: 'export',
  [`POST ${apiBase}/import`]: 'import',
}

/** The scopes of tokens (sessions/scopes.ts). `feed`: a calendar. */
const scopes = ['read', 'add', 'write', 'feed']

function measureRequests(app: FastifyInstance, registry: Registry, { gauge }: Instruments) {
  const requests = new Histogram({
    ...{ name: 'daymark_request_seconds', help: 'Time from a request to its response' },
    ...{ labelNames: ['method', 'route', 'status'], buckets: fast, registers: [registry] },
  })
  app.addHook(
    'onResponse',
    ({ method, routeOptions: { url, config } }, { statusCode, elapsedTime }, done) => {
      // A stream lasts as long as its client stays.
      if (!config.isStream || statusCode !== 200)
        requests.observe({ method, route: url ?? 'none', status: statusCode }, elapsedTime / 1000)
      done()
    },
  )

  const running = new Gauge({
    ...{ name: 'daymark_running', help: 'Imports and exports that run' },
    ...{ labelNames: ['work'], registers: [registry] },
  })
  const tokens = new Counter({
    ...{ name: 'daymark_token_requests_total', help: 'Requests with a token for another program' },
    ...{ labelNames: ['scope'], registers: [registry] },
  })
  for (const work of Object.values(runningWork)) running.set({ work }, 0)
  for (const scope of scopes) tokens.inc({ scope }, 0)
  app.addHook('onRequest', ({ method, routeOptions: { url } }, _reply, done) => {
    const work = runningWork[`${method} ${url}`]
    if (work) running.inc({ work })
    done()
  })
  app.addHook('onResponse', ({ method, routeOptions: { url }, session }, _reply, done) => {
    const work = runningWork[`${method} ${url}`]
    if (work) running.dec({ work })
    if (session && scopes.includes(session.scope)) tokens.inc({ scope: session.scope })
    done()
  })

  const { requests: shed, streams } = app.load
  gauge('daymark_open_streams', 'Number of open event streams', () => streams.count)
  gauge('daymark_streams_max', 'STREAMS', () => streams.max)
  gauge('daymark_rejected_streams', 'Streams rejected since the start: too many open', () => streams.rejected)
  gauge('daymark_shed_requests', 'Requests rejected since the start: overload', () => shed.rejected)
}

function measureDatabase(database: Database, instruments: Instruments) {
  const { onEvent, counter, histogram, gauge, seconds, count } = instruments
  const batches = histogram(
    'daymark_write_batch_size',
    'Number of writes committed in one transaction',
    [1, 2, 4, 8, 16, 32, 64, 128, 256],
  )
  onEvent<{ size: number }>(writeBatches, ({ size }) => batches.observe(size))

  gauge('daymark_database_up', 'Whether the database is reachable (1) or not (0)', async () =>
    (await isReachable(database)) ? 1 : 0,
  )
  const { connections } = database
  if (connections) {
    gauge('daymark_connections_open', 'Open connections to PostgreSQL', () => connections().open)
    gauge('daymark_connections_idle', 'Open connections that are not used', () => connections().idle)
    gauge('daymark_connections_max', 'POSTGRES_CONNECTIONS', () => connections().max)
    gauge(
      'daymark_connections_waiting',
      'Queries and transactions that wait for a connection',
      () => connections().waiting,
    )
    seconds('connectionWait', 'daymark_connection_wait_seconds', 'Time until a connection was free')
    const slowStatements = counter('daymark_slow_statements_total', `Statements of more than ${slow} s`)
    onEvent<{ seconds: number }>(measured.statement, ({ seconds }) => seconds > slow && slowStatements.inc())
    count('retry', 'daymark_retries_total', 'Transactions that were run again after a conflict')
  }
}

function measureBackgroundWork({ onEvent, gauge, seconds, count }: Instruments) {
  seconds('poll', 'daymark_poll_seconds', 'Time of one search for changes to stream')
  count('pollFailure', 'daymark_poll_failures_total', 'Failed queries of these searches')

  const periods = [0.1, 1, 10, 60, 600, 3600]
  seconds('sweep', 'daymark_sweep_seconds', 'Time of one removal of expired data', periods)
  count('sweepFailure', 'daymark_sweep_failures_total', 'Failed removals of expired data')
  let lastSweep: number | undefined
  gauge('daymark_last_sweep_timestamp_seconds', 'End of the last removal of expired data', () => lastSweep)
  onEvent(measured.sweep, () => {
    lastSweep = Date.now() / 1000
  })
}

function measureReminders({ seconds, count }: Instruments) {
  seconds(
    'reminderSent',
    'daymark_reminder_delay_seconds',
    'Time from when a reminder was due until a push service took it',
    [0.1, 0.5, 1, 2, 5, 10, 30, 60, 600, 7200],
  )
  count('reminderFailure', 'daymark_reminder_failures_total', 'Attempts to send a reminder that failed')
}

function measureSpace({ databaseUrl, backup }: Config, lastBackup: LastBackup, { gauge }: Instruments) {
  if (lastBackup)
    gauge(
      'daymark_last_backup_timestamp_seconds',
      'Time of the last verified backup, or 0',
      () => (lastBackup() ?? 0) / 1000,
    )
  if (databaseUrl.protocol === 'file:')
    gauge('daymark_disk_free_bytes', 'Free space for the database', () =>
      free(dirname(fileURLToPath(databaseUrl))),
    )
  if (backup) gauge('daymark_backup_disk_free_bytes', 'Free space for backups', () => free(backup.folder))
}

/** Free bytes of a folder's file system, for users without privileges; 0 if the folder is gone. */
const free = (folder: string) =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
