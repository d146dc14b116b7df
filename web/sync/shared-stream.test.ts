import { afterEach, expect, test, vi } from 'vitest'
import { shareStream } from './shared-stream.ts'

afterEach(() => vi.unstubAllGlobals())

test('Without locks, a tab in the background reads no stream until it is shown, also when the connection is back', async () => {
  const [window, document] = [new EventTarget(), new EventTarget()]
  const fetch = vi.fn(() => new Promise(() => {}))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', Object.assign(document, { visibilityState: 'hidden' }))
  vi.stubGlobal('fetch', fetch)
  const leaving = new AbortController()
  const { begin } = shareStream('account', { onCursor() {}, onHeartbeat() {} }, leaving.signal)
  begin()
  window.dispatchEvent(new Event('online'))
  await new Promise(setImmediate)
  expect(fetch).not.toHaveBeenCalled()
  Object.assign(document, { visibilityState: 'visible' }).dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => fetch).toHaveBeenCalledOnce()
  leaving.abort()
})
