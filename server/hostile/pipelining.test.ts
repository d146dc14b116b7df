import { expect, test } from 'vitest'
import { inEachTurn, listenTo } from '../testing/event-loop.ts'
import {
  addHanging,
  eventually,
  expectIdle,
  gets,
  lastGet,
  listen,
  openRawClient,
} from '../testing/raw-client.ts'
import { publicHost, serverForTest } from '../testing/test-server.ts'

async function startHanging(environment: Record<string, string> = publicHost) {
  const { app } = await serverForTest('sqlite', environment)
  const hanging = addHanging(app)
  await listen(app)
  return { app, begun: () => hanging.begun, release: hanging.release }
}

test('requests of other connections are processed between the pipelined requests of one', async () => {
  const { app } = await serverForTest('sqlite', publicHost)
  let turn = 0
  inEachTurn(() => turn++)
  /** The turns of the event loop in which requests were processed. */
  const turns: number[] = []
  app.get('/turn', () => {
    turns.push(turn)
    return 'done'
  })
  await listen(app)
  const client = await openRawClient(app)
  const statuses = await client.finish(gets('/turn', 7) + lastGet('/turn'))
  expect(statuses).toEqual(Array(8).fill(200))
  // Between two turns, the event loop reads from all connections.
  expect(new Set(turns).size).toBe(8)
})

/** Counts the requests that Node has parsed. */
function countParsed() {
  let parsed = 0
  listenTo('http.server.request.start', () => parsed++)
  return () => parsed
}

test('of thousands of requests that arrive at once, one is parsed, and takes a slot, before the response to it has been sent', async () => {
  const { app, begun, release } = await startHanging()
  const parsed = countParsed()
  const client = await openRawClient(app)
  await client.send(gets('/hang', 1999) + lastGet('/livez'))
  await eventually(begun).toBe(1)
  // The server reads from this connection after the other one.
  const visitor = await openRawClient(app)
  await visitor.finish(lastGet('/livez'))
  expect([parsed(), app.load.requests.slots]).toEqual([2, 1])
  release()
  await client.readToEnd()
  expect(client.statuses()).toEqual(Array(2000).fill(200))
})

test.each([
  ['on a loopback address', { HOST: '127.0.0.1' }],
  ['on a loopback name', { HOST: 'localhost' }],
  ['behind a proxy', { ...publicHost, TRUSTED_PROXIES: '127.0.0.9' }],
])('%s, Node alone parses what a connection sends', async (_where, environment) => {
  const { app, begun, release } = await startHanging(environment)
  const client = await openRawClient(app)
  await client.send(gets('/hang', 7) + lastGet('/hang'))
  await eventually(begun).toBe(8)
  release()
  await client.readToEnd()
  expect(client.statuses()).toEqual(Array(8).fill(200))
})

test.each([
  ['requests without a host', 'GET /livez HTTP/1.1\r\n\r\n'],
  ['addresses that cannot be read', gets('/%ZZ')],
  ['expectations that nobody can meet', gets('/livez', 1, 'expect: a miracle\r\n')],
])('%s are not parsed either while an earlier response is not sent', async (_what, request) => {
  const { app, begun, release } = await startHanging()
  const parsed = countParsed()
  const client = await openRawClient(app)
  await client.send(gets('/hang') + request.repeat(20))
  await eventually(begun).toBe(1)
  expect(parsed()).toBe(1)
  release()
  client.leave()
  await expectIdle(app)
})
