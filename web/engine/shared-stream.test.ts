import { afterEach, test, vi } from 'vitest'
import { shareStream } from './follow-changes.ts'
import { testNeeds } from './testing/test-needs.ts'

afterEach(() => vi.unstubAllGlobals())

test('A hidden tab that reads the stream for all tabs and waits for its next attempt asks again at once when another tab is looked at', async () => {
  // No wait for an attempt ends by itself.
  vi.stubGlobal('setTimeout', () => 0)
  const fetch = vi.fn(async () => new Response('', { status: 404 }))
  let holders = 0
  const request = (_: string, __: object, hold: () => Promise<void>) =>
    holders++ === 0 ? hold() : new Promise<void>(() => {})
  const leaving = new AbortController()
  const open = (isShown: boolean) => {
    const needs = testNeeds({
      ...{ fetch, isVisible: () => isShown, locks: { request } as unknown as LockManager },
      openChannel: (name) => new BroadcastChannel(name),
    })
    shareStream(needs, () => {}, leaving.signal)()
    return needs
  }
  open(false)
  await vi.waitUntil(() => fetch.mock.calls.length === 1)
  const shown = open(true)
  for (const sign of ['focus', 'shown'] as const) {
    const before = fetch.mock.calls.length
    shown.tell(sign)
    await new Promise(setImmediate)
    await vi.waitUntil(() => fetch.mock.calls.length === before + 1)
  }
  leaving.abort()
})
