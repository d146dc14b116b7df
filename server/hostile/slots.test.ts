import { expect, onTestFinished, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { farServerForTest } from '../testing/far-server.ts'
import { many } from '../testing/many-clients.ts'
import {
  addHanging,
  bearer,
  eventually,
  flood,
  gets,
  listen,
  openRawClient,
  posts,
} from '../testing/raw-client.ts'
import { serverForTest } from '../testing/test-server.ts'

onEveryEngine('a client that disconnects', (engine) => {
  const path = `${apiBase}/list/getLatestTasks`

  test('during authentication takes no slot', async () => {
    const { app, newUser, proxy } = await farServerForTest(engine)
    const list = gets(path, 1, bearer(await newUser()))
    await listen(app)
    proxy?.stall('open')
    for (const client of await flood(app, 100, list)) client.leave()
    await eventually(() => app.load.connections.count).toBe(0)
    proxy?.resume()

    // Its authentication is after all of theirs.
    const last = await openRawClient(app)
    expect(await last.ask(list)).toEqual([200])
    await eventually(() => app.load.requests.slots).toBe(0)
  })

  test('at any moment of its call releases its slot', async () => {
    const { app, newUser } = await farServerForTest(engine)
    const url = (await listen(app)) + path
    const headers = { authorization: `Bearer ${(await newUser()).token}` }
    const calls = many(200, async (turns) => {
      const controller = new AbortController()
      const answered = fetch(url, { headers, signal: controller.signal }).catch(() => {})
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      controller.abort()
      await answered
    })
    await Promise.all(calls)
    await eventually(() => app.load.requests.slots).toBe(0)
  })
})

/** Starts a server with few slots and a call whose response the test controls. */
async function startHanging(limits: object) {
  const { app, database } = await serverForTest('sqlite', {}, limits)
  const { release } = addHanging(app)
  const call = async (remoteAddress = '127.0.0.1', bytes = 0) => {
    const headers = { 'content-type': 'application/json' }
    const payload = bytes > 0 && { payload: JSON.stringify('x'.repeat(bytes - 2)) }
    return (await app.inject({ method: 'POST', url: '/hang', remoteAddress, ...payload, headers })).statusCode
  }
  const readiness = async () => {
    const answer = await app.inject('/readyz')
    return [answer.statusCode, answer.json().overloaded]
  }
  return { app, database, requests: app.load.requests, call, readiness, release }
}

test('one network alone can take nearly all slots; another one still gets one at once, and all addresses of a network are rejected together', async () => {
  const { requests, call, release } = await startHanging({ slots: 90 })
  const first = many(80, (i) => call(`2001:db8:0:1::${i + 1}`))
  await eventually(() => requests.slots).toBe(80)
  expect(await call('2001:db8:0:1:ffff::1')).toBe(503)

  const others = ['2001:db8:0:2::1', '192.0.2.1', '192.0.2.2'].map((address) => call(address))
  await eventually(() => requests.slots).toBe(83)
  expect(await call('2001:db8:0:1::1')).toBe(503)
  release()
  expect(new Set(await Promise.all([...first, ...others]))).toEqual(new Set([200]))
  expect(requests.slots).toBe(0)
})

test('a request with a large body takes slots in proportion to its size until its work has ended, also if its client has left', async () => {
  const { app, requests, call, release } = await startHanging({ slots: 18, bytesPerSlot: 1000 })
  await listen(app)
  const client = await openRawClient(app)
  await client.send(posts('/hang', 'x'.repeat(9998)))
  await eventually(() => requests.slots).toBe(11)
  client.leave()
  await eventually(() => app.load.connections.count).toBe(0)
  expect(requests.slots).toBe(11)
  expect(await call('127.0.0.1', 10_000)).toBe(503)
  release()
  await eventually(() => requests.slots).toBe(0)
  expect(await call('127.0.0.1', 10_000)).toBe(200)
})

test('requests up to the limit are processed at once, and the next one is rejected with Retry-After; health checks are not limited', async () => {
  const server = await serverForTest('sqlite')
  const hanging = addHanging(server.app)
  const answers = many(1999, () => server.app.inject('/hang'))
  await expect.poll(() => hanging.begun).toBe(1999)
  expect((await server.call('POST /user/login', { body: {} })).status).toBe(400)
  answers.push(server.app.inject('/hang'))
  await expect.poll(() => hanging.begun).toBe(2000)
  const refused = await server.call('GET /user/validate')
  expect([refused.status, refused.headers['retry-after'], refused.json.status]).toEqual([503, '2', 503])
  for (const url of ['/livez', '/readyz']) expect((await server.app.inject(url)).statusCode).toBe(200)

  hanging.release()
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect((await server.call('GET /user/validate')).status).toBe(403)
})

test('a network without free slots is rejected until its own requests are completed, while the server stays ready and reports that it is overloaded', async () => {
  const { requests, call, readiness, release } = await startHanging({ slots: 18 })
  expect(await readiness()).toEqual([200, false])
  const calls = many(16, () => call())
  await eventually(() => requests.slots).toBe(16)
  expect([await call(), await readiness()]).toEqual([503, [200, true]])
  release()
  await Promise.all(calls)
  expect([await call(), await readiness()]).toEqual([200, [200, false]])
})

test('a server without a response to its requests for too long is not ready, until it sends one', async () => {
  const { app, requests, call, readiness, release } = await startHanging({ stuckAfter: -1 })
  expect(await readiness()).toEqual([200, false])
  const answer = call()
  await eventually(() => requests.slots).toBe(1)
  expect(await readiness()).toEqual([503, undefined])
  // A response to the probe itself does not count.
  expect(await readiness()).toEqual([503, undefined])
  await app.inject('/another')
  expect(await readiness()).toEqual([200, false])
  release()
  await answer
})

test('a client that disconnects before its response does not make the server unready once the response exists', async () => {
  const { app, readiness, release } = await startHanging({ stuckAfter: -1 })
  await listen(app)
  const client = await openRawClient(app)
  await client.send(gets('/hang'))
  await eventually(() => app.load.requests.slots).toBe(1)
  client.leave()
  await eventually(() => app.load.requests.slots).toBe(0)
  expect(await readiness()).toEqual([503, undefined])
  release()
  await expect.poll(readiness).toEqual([200, false])
})

test('concurrent readiness probes cause only one query of the database per interval', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { app, database } = await startHanging({})
  const asked = vi.spyOn(database.read, 'getExecutor')
  const answers = await Promise.all(many(100, () => app.inject('/readyz')))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(asked).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  await app.inject('/readyz')
  expect(asked).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  await app.inject('/readyz')
  expect(asked).toHaveBeenCalledTimes(2)
})
