import { expect, onTestFinished, test } from 'vitest'
import { eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { startTestServer } from '../testing/test-server.ts'

async function startHanging() {
  const server = await startTestServer('sqlite')
  onTestFinished(server.close)
  const { promise: released, resolve: release } = Promise.withResolvers<string>()
  const { app } = server
  let begun = 0
  app.get('/hang', () => {
    begun++
    return released
  })
  // More than the operating system buffers for a client that does not read.
  app.get('/large', () => 'x'.repeat(30_000_000))
  let turn = 0
  let mark = setImmediate(function next() {
    turn++
    mark = setImmediate(next)
  })
  onTestFinished(() => clearImmediate(mark))
  const turns: number[] = []
  app.get('/turn', () => {
    turns.push(turn)
    return 'done'
  })
  await listen(app)
  return {
    app,
    begun: () => begun,
    release: () => release('done'),
    /** The turns of the event loop in which requests to /turn were processed. */
    turns,
  }
}

test('eight requests of one connection are processed in order, each after the previous response has been sent', async () => {
  const { app, begun, release } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/hang', 7) + gets('/hang', 1, 'connection: close\r\n'))
  await eventually(begun).toBe(1)
  await (await openRawClient(app)).send(gets('/hang'))
  await eventually(begun).toBe(2)
  expect(app.load.requests.slots).toBe(2)
  release()
  await client.readToEnd()
  expect(client.statuses()).toEqual(Array(8).fill(200))
  expect(begun()).toBe(9)
  await eventually(() => app.load.requests.slots).toBe(0)
})

test('requests of other connections are processed between the pipelined requests of one', async () => {
  const { app, turns } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/turn', 7) + gets('/turn', 1, 'connection: close\r\n'))
  await client.readToEnd()
  expect(client.statuses()).toEqual(Array(8).fill(200))
  // Between two turns, the event loop reads from all connections.
  expect(new Set(turns).size).toBe(8)
})

test('a connection with more requests in progress is closed after one of them has started, and all slots are released', async () => {
  const { app, begun } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/hang'))
  await eventually(begun).toBe(1)
  await client.send(gets('/hang', 1500))
  await client.readToEnd()
  expect(begun()).toBe(1)
  expect(client.statuses()).toEqual([])
  await eventually(() => [app.load.connections.count, app.load.requests.slots]).toEqual([0, 0])
})

test.each([
  ['requests without a host', 'GET /livez HTTP/1.1\r\n\r\n'],
  ['addresses that cannot be read', gets('/%ZZ')],
  ['expectations that nobody can meet', gets('/livez', 1, 'expect: a miracle\r\n')],
])('%s count too, while an earlier response is not read', async (_what, request) => {
  const { app } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/large') + request.repeat(20))
  await eventually(() => [app.load.connections.count, app.load.requests.slots]).toEqual([0, 0])
})
