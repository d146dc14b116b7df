import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { eventually, expectIdle, gets, lastGet, listen, openRawClient } from '../testing/raw-client.ts'
import { publicHost, serverForTest } from '../testing/test-server.ts'

const megabyte = 1024 * 1024
/** More than the operating system buffers for a client that does not read. */
const largeBytes = 16 * megabyte

beforeEach(() => {
  // Only the check for stalled connections uses `setInterval`; all other time is real.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})
const tenSeconds = () => vi.advanceTimersByTime(10_000)

async function startLarge(limits = {}) {
  const { app } = await serverForTest('sqlite', publicHost, limits)
  app.get('/large', () => 'x'.repeat(largeBytes))
  app.get('/huge', () => 'x'.repeat(4 * largeBytes))
  await listen(app)
  return app
}

test.each([
  ['reads nothing', ''],
  ['reads nothing and continues to send', 'GET /livez HTTP/1.1\r\nx: y'],
])(
  'the connection of a client that %s is closed within 20 seconds, and its slot is released',
  async (_, sent) => {
    const app = await startLarge()
    const client = await openRawClient(app)
    await client.send(gets('/large'))
    await eventually(() => app.load.waitingBytes.used).toBe(largeBytes)
    for (let round = 0; round < 2; round++) {
      if (sent) await client.send(sent)
      tenSeconds()
    }
    await expectIdle(app)
  },
)

test('a client that reads slowly gets the whole response', async () => {
  const app = await startLarge()
  const client = await openRawClient(app)
  await client.send(lastGet('/huge'))
  await eventually(() => app.load.waitingBytes.used).toBe(4 * largeBytes)
  for (let round = 1; round <= 3; round++) {
    tenSeconds()
    await client.read(round * 8 * megabyte)
  }
  expect((await client.readToEnd()).length).toBeGreaterThan(4 * largeBytes)
  await eventually(() => app.load.requests.slots).toBe(0)
})

test('a connection gets no further response until it has read the last one', async () => {
  const app = await startLarge()
  const client = await openRawClient(app)
  await client.send(gets('/large', 7) + lastGet('/large'))
  await eventually(() => app.load.waitingBytes.used).toBe(largeBytes)
  await (await openRawClient(app)).finish(lastGet('/livez'))
  expect([app.load.requests.slots, app.load.waitingBytes.used]).toEqual([1, largeBytes])
  await client.readToEnd()
  expect(client.statuses()).toEqual(Array(8).fill(200))
})

test('above the limit of unread bytes, the network with the most loses its connection, and the others do not', async () => {
  const app = await startLarge({ waitingBytes: 4 * largeBytes })
  const hoarders = await Promise.all(Array.from({ length: 6 }, () => openRawClient(app, '127.0.0.2')))
  for (const client of hoarders) await client.send(gets('/large'))
  await eventually(() => app.load.connections.count).toBe(4)
  expect(app.load.waitingBytes.used).toBe(4 * largeBytes)

  const other = await openRawClient(app, '127.0.0.3')
  await other.send(lastGet('/large'))
  expect((await other.readToEnd()).length).toBeGreaterThan(largeBytes)
  await eventually(() => app.load.waitingBytes.used).toBe(3 * largeBytes)
})
