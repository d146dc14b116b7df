import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { call } from '../api/client.ts'
import { waitToRetry } from '../sync/retry-delay.ts'
import { followConnection, offline } from './connection.ts'

afterEach(() => vi.unstubAllGlobals())

test('When a call reaches a server that was away, whatever waits for another attempt makes it at once', async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json({}))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  // No timer ends the wait then.
  vi.stubGlobal('navigator', { onLine: false })
  const left = new AbortController()
  onTestFinished(() => left.abort())
  followConnection(left.signal)

  fetched.mockRejectedValueOnce(new TypeError())
  await call('GET /user/validate').catch(() => {})
  await vi.waitFor(() => expect(offline.getState()).toBe(true))
  const waited = waitToRetry(1, left.signal)
  await call('GET /user/validate')
  await waited
  expect(offline.getState()).toBe(false)
})
