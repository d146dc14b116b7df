import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepEnded, sendEnded } from './ended-sessions.ts'

const fetched = vi.fn<typeof fetch>()
let stored: Map<string, Map<string, Response>>

beforeEach(() => {
  vi.useFakeTimers()
  stored = new Map()
  const opened = (name: string) => {
    const entries = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, entries)
    return {
      put: async (path: string, response: Response) => void entries.set(`https://a.test${path}`, response),
      keys: async () => [...entries.keys()].map((url) => new Request(url)),
      match: async ({ url }: Request) => entries.get(url)?.clone(),
      delete: async ({ url }: Request) => entries.delete(url),
    }
  }
  vi.stubGlobal('caches', {
    has: async (name: string) => stored.has(name),
    open: async (name: string) => opened(name),
    delete: async (name: string) => stored.delete(name),
  })
  vi.stubGlobal('self', { registration: {} })
  vi.stubGlobal('fetch', fetched)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  fetched.mockReset()
})

test('A session that was left without a network is ended once the server answers, and not by a page or an error of a proxy', async () => {
  await keepEnded('token-of-ann')
  const wrong = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('<h1>Log in to this network</h1>', { headers: { 'content-type': 'text/html' } }),
    async () => new Response('<h1>Forbidden</h1>', { status: 403 }),
    async () => Response.json({ code: 'server-busy' }, { status: 503 }),
  ]
  for (const answer of wrong) {
    fetched.mockImplementationOnce(answer)
    await expect(sendEnded()).rejects.toThrow('not ended yet')
  }
  fetched.mockImplementationOnce(async () => Response.json({}))
  await sendEnded()
  const [path, init] = fetched.mock.lastCall ?? []
  expect([path, init?.method]).toEqual(['/api/v1/user/logout', 'POST'])
  expect(new Headers(init?.headers).get('authorization')).toBe('Bearer token-of-ann')
  expect(stored.size).toBe(0)
  await sendEnded()
  expect(fetched).toHaveBeenCalledTimes(wrong.length + 1)
})

test('The token of an ended session is forgotten after seven days without the server', async () => {
  await keepEnded('token-of-ann')
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  vi.setSystemTime(Date.now() + 7 * 86_400_000)
  await expect(sendEnded()).rejects.toThrow('not ended yet')
  vi.setSystemTime(Date.now() + 1)
  await sendEnded()
  expect(fetched).toHaveBeenCalledOnce()
  expect(stored.size).toBe(0)
})
