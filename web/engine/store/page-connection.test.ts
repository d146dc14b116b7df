import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { testNeeds } from '../testing/test-needs.ts'
import { createConnection } from './page-connection.ts'

afterEach(() => void vi.restoreAllMocks())

function startPage({ onLine }: { onLine: boolean }) {
  const fetched = vi.fn<typeof fetch>(async () => Response.json({}))
  const needs = testNeeds({ fetch: fetched, isOnline: () => onLine })
  const { offline, follow } = createConnection(needs)
  const left = new AbortController()
  onTestFinished(() => left.abort())
  follow(left.signal)
  return { ...needs, fetched, left, offline }
}

test('When a call reaches a server that was away, everything that waits for another attempt makes it at once', async () => {
  // No timer ends the wait then.
  const { call, fetched, left, offline, wait } = startPage({ onLine: false })
  fetched.mockRejectedValueOnce(new TypeError())
  await call('GET /user/validate').catch(() => {})
  await vi.waitFor(() => expect(offline.getState()).toBe(true))
  const waited = wait(1, left.signal)
  await call('GET /user/validate')
  await waited
  expect(offline.getState()).toBe(false)
})

/** A network that lets nothing through, and the time until a probe ends. */
function holdProbe(fetched: ReturnType<typeof startPage>['fetched']) {
  const time = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  fetched.mockRejectedValueOnce(new TypeError()).mockImplementationOnce(
    (_, { signal } = {}) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  return () => time.abort(new DOMException('', 'TimeoutError'))
}

test('A page whose probe gets no answer in time is offline, unless a call got one meanwhile', async () => {
  const { call, fetched, offline } = startPage({ onLine: true })
  for (const isAnswered of [false, true]) {
    const endProbe = holdProbe(fetched)
    await call('GET /user/validate').catch(() => {})
    if (isAnswered) await call('GET /user/validate')
    endProbe()
    await new Promise((settled) => setImmediate(settled))
    expect(offline.getState()).toBe(!isAnswered)
    await call('GET /user/validate')
  }
})
