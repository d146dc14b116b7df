import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { every } from './background.ts'

const hour = 3_600_000

test('periodic work runs at the start, and again a period after the end of a run, also after a failure', async () => {
  const { app, runs } = start()
  await app.listen({ port: 0 })
  expect(runs).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2 * hour)
  expect(runs).toHaveLength(1)
  runs[0]?.reject(new Error('the disk is full'))
  await vi.advanceTimersByTimeAsync(hour - 1)
  expect(runs).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toHaveLength(2)
  runs[1]?.resolve(1000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toHaveLength(3)
})

test('a stop waits for the run in progress, whose signal is aborted, and begins no other', async () => {
  const { app, runs, runOnce } = start()
  await app.listen({ port: 0 })
  const other = vi.fn(async () => {})
  runOnce(other)
  const closed = vi.fn()
  const closing = app.close().then(closed)
  await vi.waitFor(() => expect(runs[0]?.stop.aborted).toBe(true))
  expect(closed).not.toHaveBeenCalled()
  runs[0]?.resolve(1)
  await closing
  expect(other).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

/** An app whose removal of expired data lasts until the test ends it. */
function start() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const app = fastify()
  const runs: (PromiseWithResolvers<number> & { stop: AbortSignal })[] = []
  const { once: runOnce } = every(app, 'the removal of expired data', (stop) => {
    const run = { ...Promise.withResolvers<number>(), stop }
    runs.push(run)
    return run.promise
  })
  onTestFinished(async () => {
    for (const { resolve } of runs) resolve(hour)
    await app.close()
    vi.useRealTimers()
  })
  return { app, runs, runOnce }
}
