import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { measured } from '../measured.ts'
import { type Engine, migratedDatabase } from '../testing/engines.ts'
import { freePort } from '../testing/free-port.ts'
import { openStream } from '../testing/open-stream.ts'
import { gets, lastGet, listen, rawRequest } from '../testing/raw-client.ts'
import { expectRefused } from '../testing/run-program.ts'
import { runServer } from '../testing/server-process.ts'
import { serverForTest, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let port: number
async function start(where: Engine | URL = 'sqlite', environment: Record<string, string> = {}) {
  port = await freePort()
  server = await serverForTest(where, { METRICS_PORT: String(port), ...environment })
  await server.app.ready()
}

/** The values of all metrics, keyed by name and labels. */
async function metrics(): Promise<Record<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(`${answer.status} ${answer.headers.get('content-type')}`).toMatch(/^200 text\/plain/)
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'))
  const entries = lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))])
  return Object.fromEntries(entries)
}
const requests = (method: string, route: string, status: number) =>
  `daymark_request_seconds_count{method="${method}",route="${route}",status="${status}"}`

test('METRICS_PORT serves metrics of the event loop, write batches, the database, and requests by the pattern of their route and not by their path', async () => {
  await start()
  const user = await server.newUser()
  await Promise.all(Array.from({ length: 6 }, () => user.addTask()))
  await user.call('GET /list/getLatestTasks')
  // Written in one turn of the event loop, these share a transaction.
  await Promise.all([1, 2].map(() => server.database.write(async () => {})))
  const sent = ['01a1fbec-df28-741d-85d9-08c2d1fcac18', 'sent-by-a-client']
  for (const id of sent) await user.call(`DELETE /list/deleteTask/${id}?${sent[1]}=${sent[1]}`)
  await server.call(`GET /${sent[1]}`)
  const found = await metrics()
  expect(found).toMatchObject({
    [requests('POST', '/api/v1/list/addTask', 200)]: 6,
    [requests('GET', '/api/v1/list/getLatestTasks', 200)]: 1,
    [requests('DELETE', '/api/v1/list/deleteTask/:id', 404)]: 1,
    [requests('DELETE', '/api/v1/list/deleteTask/:id', 400)]: 1,
    [requests('GET', 'none', 404)]: 1,
    nodejs_eventloop_lag_p99_seconds: expect.any(Number),
    process_resident_memory_bytes: expect.any(Number),
    daymark_database_up: 1,
  })
  expect(Object.keys(found).join('\n')).not.toMatch(new RegExp(sent.join('|')))
  const { daymark_write_batch_size_count: batches, daymark_write_batch_size_sum: writes } = found
  expect(writes).toBeGreaterThanOrEqual(9)
  expect(batches).toBeLessThan(writes as number)
})

test('open streams are counted, and their duration is not that of a request', async () => {
  await start()
  const { token } = await server.newUser()
  const stream = await openStream(await listen(server.app), token)
  await stream.next()
  expect((await metrics()).daymark_open_streams).toBe(1)
  await server.call('POST /user/logout', { token })
  expect(await stream.next()).toBeUndefined()
  await server.call('GET /changes/stream', { token })
  const found = await metrics()
  expect(found.daymark_open_streams).toBe(0)
  expect(found[requests('GET', '/api/v1/changes/stream', 200)]).toBeUndefined()
  expect(found[requests('GET', '/api/v1/changes/stream', 401)]).toBe(1)
})

test('a rejected stream, the limit, a sweep, free space and the age of the last backup are reported', async () => {
  const url = await migratedDatabase('sqlite')
  const BACKUP_DIR = dirname(fileURLToPath(url))
  await start(url, { DATABASE_URL: url.href, STREAMS: '1', BACKUP_DIR })
  const { token } = await server.newUser()
  await listen(server.app)
  expect((await server.call('GET /changes/stream', { token })).status).toBe(503)
  await expect.poll(metrics).toMatchObject({
    daymark_sweep_seconds_count: 1,
    daymark_last_backup_timestamp_seconds: expect.any(Number),
  })
  const found = await metrics()
  expect(found).toMatchObject({
    daymark_streams_max: 1,
    daymark_rejected_streams: 1,
    daymark_shed_requests: 0,
  })
  expect(Date.now() / 1000 - (found.daymark_last_sweep_timestamp_seconds as number)).toBeLessThan(60)
  expect(found.daymark_disk_free_bytes).toBeGreaterThan(0)
  expect(found.daymark_backup_disk_free_bytes).toBeGreaterThan(0)
})

test('connections to PostgreSQL, slow statements, retries and polls are reported', async () => {
  await start('postgres')
  const { token } = await server.newUser()
  const stream = await openStream(await listen(server.app), token)
  await sql`select pg_sleep(0.6)`.execute(server.database.read)
  let runs = 0
  await server.database.write(async (db) => {
    if (runs++ === 0) await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(db)
  })
  await expect.poll(async () => (await metrics()).daymark_poll_seconds_count).toBeGreaterThan(0)
  const found = await metrics()
  expect(found).toMatchObject({
    daymark_connections_max: 20,
    daymark_connections_waiting: 0,
    daymark_retries_total: 1,
    daymark_poll_failures_total: 0,
  })
  // On a busy machine, others are slow too.
  expect(found.daymark_slow_statements_total).toBeGreaterThanOrEqual(1)
  expect(found.daymark_connections_open).toBeGreaterThan(0)
  expect(found.daymark_connection_wait_seconds_count).toBeGreaterThan(3)
  stream.abort()
})

test('reminders, running imports and exports, calendars and tokens are reported', async () => {
  await start()
  const user = await server.newUser()
  const { token } = (await user.call('POST /tokens', { body: { name: 'A script', scope: 'read' } })).json
  await server.call('GET /changes', { token })
  measured.reminderSent.publish({ seconds: 3 })
  measured.reminderFailure.publish(undefined)
  expect(await metrics()).toMatchObject({
    daymark_reminder_delay_seconds_count: 1,
    'daymark_reminder_delay_seconds_bucket{le="5"}': 1,
    daymark_reminder_failures_total: 1,
    'daymark_running{work="export"}': 0,
    'daymark_running{work="import"}': 0,
    'daymark_token_requests_total{scope="read"}': 1,
    'daymark_token_requests_total{scope="feed"}': 0,
  })
})

test('an unreachable database is reported as down, and /readyz answers 503 with Retry-After', async () => {
  await start()
  await server.database.write((db) => sql`drop table kysely_migration`.execute(db))
  expect((await metrics()).daymark_database_up).toBe(0)
  const { statusCode, headers } = await server.app.inject('/readyz')
  expect([statusCode, headers['retry-after']]).toEqual([503, '1'])
  expect((await server.app.inject('/livez')).statusCode).toBe(200)
})

test('METRICS_PORT alone serves metrics, and sends the security headers, also in responses by Node itself', async () => {
  await start()
  expect((await server.app.inject('/metrics')).statusCode).toBe(404)
  const origin = `http://127.0.0.1:${port}`
  const headers = { 'x-content-type-options': 'nosniff', 'content-security-policy': expect.anything() }
  for (const [status, request] of [
    [200, lastGet('/metrics')],
    [400, 'what is this?\r\n\r\n'],
    [417, gets('/metrics', 1, 'expect: more\r\n')],
  ] as const)
    expect(await rawRequest(origin, request)).toMatchObject({ status, headers })
})

test('the server does not start if METRICS_PORT is in use, and prints one line that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const METRICS_PORT = String((other.address() as AddressInfo).port)
  const DATABASE_URL = (await migratedDatabase('sqlite')).href
  const ended = await runServer({ DATABASE_URL, METRICS_PORT })
  other.close()
  expectRefused(ended, `METRICS_PORT ${METRICS_PORT} cannot be used (EADDRINUSE); choose another one`)
})

test.each(['deploy/alerts.yml', 'deploy/grafana.json', 'docs/operating.md'])(
  'every metric in %s exists',
  (file) => {
    const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
    const named = read(`../../${file}`).match(/daymark_[a-z]+_[a-z_]+/g) ?? []
    const names = named.map((name) => name.replace(/_(count|sum|bucket)$/, ''))
    const defined = new Set(read('measurements.ts').match(/daymark_[a-z_]+/g))
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name) => !defined.has(name))).toEqual([])
  },
)
