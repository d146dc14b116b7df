import { expect, onTestFinished, test, vi } from 'vitest'
import { addHanging, eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { serverForTest } from '../testing/test-server.ts'

async function startHanging(limits: object) {
  const server = await serverForTest('sqlite', {}, limits)
  const { release } = addHanging(server.app)
  const readiness = async () => {
    const answer = await server.app.inject('/readyz')
    return [answer.statusCode, answer.json().overloaded]
  }
  return { ...server, readiness, release }
}

test('a server without free slots stays ready and reports that it is overloaded', async () => {
  const { app, readiness, release } = await startHanging({ slots: 18 })
  expect(await readiness()).toEqual([200, false])
  const calls = Array.from({ length: 16 }, () => app.inject('/hang'))
  await eventually(() => app.load.requests.slots).toBe(16)
  expect(await readiness()).toEqual([200, true])
  release()
  await Promise.all(calls)
  expect(await readiness()).toEqual([200, false])
})

test('a server without a response to its requests for too long is not ready, until it sends one', async () => {
  const { app, readiness, release } = await startHanging({ stuckAfter: -1 })
  expect(await readiness()).toEqual([200, false])
  const call = app.inject('/hang')
  await eventually(() => app.load.requests.slots).toBe(1)
  expect(await readiness()).toEqual([503, undefined])
  // A response to the probe itself does not count.
  expect(await readiness()).toEqual([503, undefined])
  await app.inject('/another')
  expect(await readiness()).toEqual([200, false])
  release()
  await call
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
  const answers = await Promise.all(Array.from({ length: 100 }, () => app.inject('/readyz')))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(asked).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  await app.inject('/readyz')
  expect(asked).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  await app.inject('/readyz')
  expect(asked).toHaveBeenCalledTimes(2)
})
