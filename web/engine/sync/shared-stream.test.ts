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

test('A hidden tab that reads the stream for all tabs and waits for its next attempt asks again at once when another tab is looked at', async () => {
  const tab = (visibilityState: string) => ({
    window: new EventTarget(),
    document: Object.assign(new EventTarget(), { visibilityState }),
  })
  const enter = ({ window, document }: ReturnType<typeof tab>) => {
    vi.stubGlobal('window', window)
    vi.stubGlobal('document', document)
  }
  // No wait for an attempt ends by itself.
  vi.stubGlobal('setTimeout', () => 0)
  const fetch = vi.fn(async () => new Response('', { status: 404 }))
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('localStorage', { getItem: () => null })
  let holders = 0
  const request = (_: string, __: object, hold: () => Promise<void>) =>
    holders++ === 0 ? hold() : new Promise<void>(() => {})
  vi.stubGlobal('navigator', { onLine: true, locks: { request } })
  const leaving = new AbortController()
  const share = () => shareStream('looked at', { onCursor() {}, onHeartbeat() {} }, leaving.signal).begin()
  const [hidden, shown] = [tab('hidden'), tab('visible')]
  enter(hidden)
  share()
  await vi.waitUntil(() => fetch.mock.calls.length === 1)
  for (const look of [
    () => shown.window.dispatchEvent(new Event('focus')),
    () => shown.document.dispatchEvent(new Event('visibilitychange')),
  ]) {
    const before = fetch.mock.calls.length
    enter(shown)
    if (holders === 1) share()
    look()
    enter(hidden)
    await new Promise(setImmediate)
    await vi.waitUntil(() => fetch.mock.calls.length === before + 1)
  }
  leaving.abort()
})
