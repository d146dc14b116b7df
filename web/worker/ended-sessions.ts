import { apiBase } from '#contract/limits.ts'

declare const self: ServiceWorkerGlobalScope

/** The cache of tokens whose sessions the server may not have ended yet. Pages do not read it. */
export const endedSessions = 'ended sessions'

/** Milliseconds after which a token is forgotten in any case. */
const longestKept = 7 * 86_400_000

export async function keepEnded(token: string): Promise<void> {
  const cache = await caches.open(endedSessions)
  await cache.put(`/${Date.now()}/${crypto.randomUUID()}`, new Response(token))
  await wakeOnline('ended')
}

/** Only Chromium wakes the worker when the network is back. */
export async function wakeOnline(tag: string): Promise<void> {
  const { sync } = self.registration as { sync?: { register: (tag: string) => Promise<void> } }
  await sync?.register(tag).catch(console.warn)
}

export async function sendEnded(): Promise<void> {
  // `open` would create it.
  if (!(await caches.has(endedSessions))) return
  const cache = await caches.open(endedSessions)
  let isLeft = false
  for (const request of await cache.keys()) {
    const since = Number(new URL(request.url).pathname.split('/')[1])
    const token = await (await cache.match(request))?.text()
    if (!token || Date.now() - since > longestKept || (await isEnded(token).catch(() => false)))
      await cache.delete(request)
    else isLeft = true
  }
  if (isLeft) throw new Error('A session is not ended yet: the server cannot be reached.')
  await caches.delete(endedSessions)
}

/** Whether the server has answered, and not a proxy with a page. */
async function isEnded(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${apiBase}/user/logout`, { method: 'POST', headers })
  await answer.json()
  return answer.ok || answer.status === 401
}
