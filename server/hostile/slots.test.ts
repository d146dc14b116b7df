import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { startFarServer } from '../testing/far-server.ts'
import { eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { serverForTest } from '../testing/test-server.ts'

const many = <T>(count: number, make: (index: number) => T) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

onEveryEngine('a client that disconnects', (engine) => {
  let server: Awaited<ReturnType<typeof startFarServer>>
  let list: string
  beforeEach(async () => {
    server = await startFarServer(engine)
    const { token } = await server.newUser()
    list = gets(`${apiBase}/list/getLatestTasks`, 1, `authorization: Bearer ${token}\r\n`)
  })
  afterEach(() => server.close())

  test('during authentication takes no slot', async () => {
    let arrived = 0
    await listen(server.app)
    server.app.server.on('request', () => arrived++)
    server.proxy?.stall('open')
    const clients = await many(100, () => openRawClient(server.app))
    await many(100, async (i) => clients[i]?.send(list))
    await eventually(() => arrived).toBe(100)
    for (const client of clients) client.leave()
    await eventually(() => server.app.load.connections.count).toBe(0)
    server.proxy?.resume()

    // Its authentication is after all of theirs.
    const last = await openRawClient(server.app)
    expect(await last.ask(list)).toEqual([200])
    await eventually(() => server.app.load.requests.slots).toBe(0)
  })

  test('at any moment of its call releases its slot', async () => {
    const origin = await listen(server.app)
    const [, authorization = ''] = /authorization: (.*)\r/.exec(list) ?? []
    await many(200, async (i) => {
      const controller = new AbortController()
      const answered = fetch(`${origin}${apiBase}/list/getLatestTasks`, {
        headers: { authorization },
        signal: controller.signal,
      }).catch(() => {})
      for (let turn = 0; turn < i; turn++) await new Promise(setImmediate)
      controller.abort()
      await answered
    })
    await eventually(() => server.app.load.requests.slots).toBe(0)
  })
})

/** Starts a server with few slots and a call whose response the test controls. */
async function startHanging(limits: object) {
  const server = await serverForTest('sqlite', {}, limits)
  const { promise: released, resolve: release } = Promise.withResolvers<string>()
  server.app.post('/hang', () => released)
  const call = (remoteAddress: string, bytes = 0) =>
    server.app.inject({
      method: 'POST',
      url: '/hang',
      remoteAddress,
      ...(bytes > 0 && { payload: JSON.stringify('x'.repeat(bytes - 2)) }),
      headers: { 'content-type': 'application/json' },
    })
  const { requests } = server.app.load
  return { server, requests, call, release: () => release('done') }
}

test('one network alone can take nearly all slots; another one still gets one at once, and all addresses of a network are rejected together', async () => {
  const { requests, call, release } = await startHanging({ slots: 90 })
  const first = Array.from({ length: 80 }, (_, i) => call(`2001:db8:0:1::${i + 1}`))
  await eventually(() => requests.slots).toBe(80)
  expect((await call('2001:db8:0:1:ffff::1')).statusCode).toBe(503)

  const others = ['2001:db8:0:2::1', '192.0.2.1', '192.0.2.2'].map((address) => call(address))
  await eventually(() => requests.slots).toBe(83)
  expect((await call('2001:db8:0:1::1')).statusCode).toBe(503)
  release()
  const answered = await Promise.all([...first, ...others])
  expect(new Set(answered.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(requests.slots).toBe(0)
})

test('a rejected network gets slots again as soon as its own requests are completed', async () => {
  const { requests, call, release } = await startHanging({ slots: 18 })
  const first = Array.from({ length: 16 }, () => call('192.0.2.1'))
  await eventually(() => requests.slots).toBe(16)
  expect((await call('192.0.2.1')).statusCode).toBe(503)
  release()
  await Promise.all(first)
  expect((await call('192.0.2.1')).statusCode).toBe(200)
})

test('a request with a large body takes slots in proportion to its size', async () => {
  const { requests, call, release } = await startHanging({ slots: 18, bytesPerSlot: 1000 })
  const large = call('192.0.2.1', 10_000)
  await eventually(() => requests.slots).toBe(11)
  expect((await call('192.0.2.1', 10_000)).statusCode).toBe(503)
  release()
  expect((await large).statusCode).toBe(200)
  expect(requests.slots).toBe(0)
})

test('a request with a body holds its slots until its work has ended, also if its client has left', async () => {
  const { server, requests, call, release } = await startHanging({ slots: 18, bytesPerSlot: 1000 })
  await listen(server.app)
  const client = await openRawClient(server.app)
  const body = JSON.stringify('x'.repeat(9998))
  const head = `content-type: application/json\r\ncontent-length: ${body.length}`
  await client.send(`POST /hang HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n${body}`)
  await eventually(() => requests.slots).toBe(11)
  client.leave()
  await eventually(() => server.app.load.connections.count).toBe(0)
  expect(requests.slots).toBe(11)
  expect((await call('127.0.0.1', 10_000)).statusCode).toBe(503)
  release()
  await eventually(() => requests.slots).toBe(0)
  expect((await call('127.0.0.1', 10_000)).statusCode).toBe(200)
})
