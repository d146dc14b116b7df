import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  addHanging,
  eventually,
  gets,
  lastGet,
  listen,
  openRawClient,
  type RawClient,
} from '../testing/raw-client.ts'
import { publicHost, serverForTest } from '../testing/test-server.ts'

// An evicted connection ends without a response; a connection that sent nothing for too long would get a 408.

async function startSmall(environment = {}, limits = {}) {
  const { app } = await serverForTest('sqlite', environment, { connections: 20, ...limits })
  const { release } = addHanging(app)
  await listen(app)
  const open = async (count: number, from: string) => {
    const clients: RawClient[] = []
    for (let i = 0; i < count; i++) {
      clients.push(await openRawClient(app, from))
      await eventually(() => app.load.connections.count).toBeGreaterThan(0)
    }
    return clients
  }
  const visit = async (from: string) => {
    const [client] = await open(1, from)
    return client?.finish(lastGet('/livez'))
  }
  return { app, open, visit, release }
}

test.each([
  ['locks no other network out', '127.0.0.3'],
  ['gets new ones', '127.0.0.2'],
])('a network with all connections %s: its longest idle connection is closed', async (_, visitor) => {
  const { app, open, visit, release } = await startSmall()
  const [busy, idle] = (await open(20, '127.0.0.2')) as [RawClient, RawClient]
  await busy.send(lastGet('/hang'))
  await eventually(() => [app.load.connections.count, app.load.requests.slots]).toEqual([20, 1])

  expect(await visit(visitor)).toEqual([200])
  expect(await idle.readToEnd()).toBe('')
  release()
  expect(await busy.readToEnd()).toMatch(/^HTTP\/1.1 200 /)
})

test('a network that holds few connections loses none to one that holds many, whichever came first', async () => {
  const { open, visit } = await startSmall()
  const [early] = await open(1, '127.0.0.4')
  const [oldest] = await open(19, '127.0.0.2')
  expect(await visit('127.0.0.3')).toEqual([200])
  expect(await oldest?.readToEnd()).toBe('')
  expect(await early?.finish(lastGet('/livez'))).toEqual([200])
})

test('a network whose connections are all busy locks no other network out', async () => {
  const { app, open, visit } = await startSmall()
  for (const client of await open(20, '127.0.0.2')) await client.send(gets('/hang'))
  await eventually(() => app.load.requests.slots).toBe(20)
  expect(await visit('127.0.0.3')).toEqual([200])
  await eventually(() => app.load.requests.slots).toBe(19)
})

test('connections of a trusted proxy count for no network', async () => {
  const { app, open, visit } = await startSmall({ TRUSTED_PROXIES: '127.0.0.2' })
  const [proxied] = await open(15, '127.0.0.2')
  const [oldest] = await open(5, '127.0.0.3')
  await eventually(() => app.load.connections.count).toBe(20)
  expect(await visit('127.0.0.4')).toEqual([200])
  expect(await oldest?.readToEnd()).toBe('')
  expect(await proxied?.finish(lastGet('/livez'))).toEqual([200])
})

test('connections whose requests come too slowly are not all answered in one turn of the event loop', async () => {
  const { app, open } = await startSmall()
  const sockets: Socket[] = []
  app.server.on('connection', (socket: Socket) => sockets.push(socket))
  const clients = await open(20, '127.0.0.2')
  for (const client of clients) await client.send('GET /livez HTTP/1.1\r\n')
  await eventually(() => sockets.length).toBe(20)
  // The clock advances by two milliseconds for each answer, so the speed of the machine does not matter.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  // A turn that began by the real clock ends first.
  await new Promise(setImmediate)
  let answered = 0
  for (const socket of sockets) {
    const { end } = socket
    socket.end = ((...values: Parameters<typeof end>) => {
      answered++
      vi.advanceTimersByTime(2)
      return end.apply(socket, values)
    }) as typeof end
  }
  // As Node does for every connection that it finds too slow in one check.
  for (const socket of sockets)
    app.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  expect(answered).toBeLessThanOrEqual(6)
  for (const client of clients) expect(await client.readToEnd()).toMatch(/^HTTP\/1.1 408 /)
})

test('heads of many headers that are not complete are kept as bytes, of a limited number of connections', async () => {
  const { app, open, visit } = await startSmall(publicHost, { unparsedBytes: 64 * 1024 })
  const clients = await open(19, '127.0.0.2')
  for (const client of clients) {
    await client.send(`GET /livez HTTP/1.1\r\n${'a: bcdefghi\r\n'.repeat(900)}`)
    // By then the server has read it.
    expect(await visit('127.0.0.3')).toEqual([200])
  }
  expect(app.load.connections.count).toBeLessThanOrEqual(6)
})
