import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { serverForTest } from '../testing/test-server.ts'
import type { EventStream } from './event-streams.ts'

/** More than the operating system buffers for a client that does not read. */
const large = '1'.repeat(16 * 1024 * 1024)

async function start(limits = {}) {
  const { app } = await serverForTest('sqlite', {}, limits)
  const opened: EventStream[] = []
  app.get<{ Querystring: { owner: string } }>('/events', { config: { isStream: true } }, (request, reply) => {
    opened.push(app.load.streams.open(request, reply, request.query.owner, () => {}))
    return reply
  })
  await listen(app)
  /** Opens a stream from an address and waits for the first bytes of the response. */
  async function open(owner: string, from?: string) {
    const client = await openRawClient(app, from)
    await client.send(gets(`/events?owner=${owner}`))
    await client.read(1)
    return { ...client, status: client.statuses()[0] }
  }
  return { app, opened, open }
}

test('a user’s devices above the limit end the user’s oldest stream, and no other user’s', async () => {
  const { app, open } = await start({ streamsPerOwner: 3 })
  const other = await open('eve')
  const streams = [await open('ada'), await open('ada'), await open('ada'), await open('ada')]
  await streams[0]?.readToEnd()
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(app.load.streams.count).toBe(4)
  for (const stream of [other, ...streams.slice(1)]) stream.leave()
  await eventually(() => app.load.streams.count).toBe(0)
})

test('one network alone can open nearly all streams; another one still opens one, and a rejected one may retry later', async () => {
  const { app, open } = await start({ streams: 18 })
  const first = []
  for (let owner = 0; owner < 16; owner++) first.push(await open(`user-${owner}`, '127.0.0.2'))
  expect(first.map(({ status }) => status)).toEqual(Array(16).fill(200))
  expect((await open('late', '127.0.0.2')).status).toBe(503)
  expect((await open('other', '127.0.0.3')).status).toBe(200)
  expect(app.load.streams.count).toBe(17)
  for (const client of first) client.leave()
  await eventually(() => app.load.streams.count).toBe(1)
  expect((await open('late', '127.0.0.2')).status).toBe(200)
})

test('no number of networks opens more streams than the limit', async () => {
  const { app, open } = await start({ streams: 9 })
  for (let network = 1; network <= 20; network++) await open(`user-${network}`, `127.0.0.${network}`)
  expect(app.load.streams.count).toBeLessThanOrEqual(9)
})

test('a stream is not a request in progress: it takes no slot, and does not make the server unready', async () => {
  const { app, open } = await start({ slots: 9, stuckAfter: 0 })
  for (let owner = 0; owner < 20; owner++) expect((await open(`user-${owner}`)).status).toBe(200)
  const { streams, requests } = app.load
  expect([streams.count, requests.slots, requests.overloaded]).toEqual([20, 0, false])
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 'ready', overloaded: false })
})

test('the stream of a client that does not read ends within 20 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, opened, open } = await start()
  const client = await open('ada')
  const stream = opened[0] as EventStream
  stream.send(large)
  await client.read(large.length / 4)
  vi.advanceTimersByTime(10_000)
  vi.advanceTimersByTime(10_000)
  await eventually(() => [app.load.streams.count, app.load.connections.count]).toEqual([0, 0])
  client.leave()
})

test('a client that reads again gets the newest event, without those in between', async () => {
  const { opened, open } = await start()
  const client = await open('ada')
  const [stream] = opened
  for (const event of [large, 'second', 'third', 'fourth']) stream?.send(event)
  const received = client.readToEnd()
  await eventually(client.bytes).toBeGreaterThan(large.length + 'data: fourth'.length)
  stream?.end()
  expect((await received).match(/data: .{5}/g)).toEqual(['data: 11111', 'data: fourt'])
})

test('an idle stream gets heartbeats, and is not closed as stalled', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, opened, open } = await start()
  const client = await open('ada')
  const received = client.readToEnd()
  for (let count = 1; count <= 3; count++) {
    vi.advanceTimersByTime(15_000)
    await eventually(() => client.received().split('\n:\n').length - 1).toBe(count)
  }
  expect(app.load.streams.count).toBe(1)
  opened[0]?.end()
  expect(await received).toMatch(/^HTTP\/1\.1 200/)
})

test('streams end at once at a stop, also those that are not read, and none is opened any more', async () => {
  const { app, opened, open } = await start()
  const [reading, stalled] = [await open('ada'), await open('eve')]
  opened[1]?.send(large)
  app.load.streams.endAll()
  await reading.readToEnd()
  await stalled.readToEnd()
  expect(app.load.streams.count).toBe(0)
  expect((await open('late')).status).toBe(503)
  await app.close()
})
