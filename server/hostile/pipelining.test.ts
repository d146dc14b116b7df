import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../testing/test-server.ts'
import { gets, listen, openRawClient } from './raw-client.ts'

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
  // More than the operating system takes for a client that does not read.
  app.get('/large', () => 'x'.repeat(30_000_000))
  await listen(app)
  return { app, begun: () => begun, release: () => release('done') }
}

test('a connection may have eight unanswered requests, which are answered in turn', async () => {
  const { app, release } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/hang', 7) + gets('/hang', 1, 'connection: close\r\n'))
  await expect.poll(() => app.load.requests.slots).toBe(8)
  release()
  await client.readToEnd()
  expect(client.statuses()).toEqual(Array(8).fill(200))
  expect(app.load.requests.slots).toBe(0)
})

test('a connection with more unanswered requests is ended, none beyond the eighth begins, and all slots are free again', async () => {
  const { app, begun } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/hang', 1500))
  await client.readToEnd()
  expect(begun()).toBeLessThanOrEqual(8)
  expect(client.statuses()).toEqual([])
  await expect.poll(() => [app.load.connections.count, app.load.requests.slots]).toEqual([0, 0])
})

test.each([
  ['requests without a host', 'GET /livez HTTP/1.1\r\n\r\n'],
  ['addresses that cannot be read', gets('/%ZZ')],
  ['expectations that nobody can meet', gets('/livez', 1, 'expect: a miracle\r\n')],
])('%s count, too, while an answer before them is not read', async (_what, request) => {
  const { app } = await startHanging()
  const client = await openRawClient(app)
  await client.send(gets('/large') + request.repeat(20))
  await expect.poll(() => [app.load.connections.count, app.load.requests.slots]).toEqual([0, 0])
})
