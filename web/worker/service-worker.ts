import { apiBase } from '#contract/limits.ts'
import { isDashboard } from '#contract/pages.ts'
import { endedSessions, keepEnded, sendEnded } from './ended-sessions.ts'
import { answerReminder, sendPresses, showReminder } from './reminders.ts'

/** The SHA-256 of each file of the build, by its path. `web/build.ts` replaces `hashes` and `build`, so each build has its own worker. */
declare const hashes: Hashes
declare const build: string

declare const self: ServiceWorkerGlobalScope

/** Only Chromium has `addRoutes`. */
type InstallEvent = ExtendableEvent & {
  addRoutes?: (rule: { condition: { urlPattern: string }; source: 'network' }) => Promise<void>
}

const [shell, landing] = ['/dashboard', '/']

type Hashes = Record<string, string>

// Used once, because the build inserts the whole value.
const files = hashes

/** The path of the hashes in each cache, for the workers of later builds. */
const hashesPath = '/assets/hashes'

const types: Record<string, RegExp> = {
  css: /^text\/css\b/,
  js: /^(text|application)\/javascript\b/,
  woff2: /^font\/woff2\b/,
}
const html = /^text\/html\b/

self.addEventListener('install', (event: InstallEvent) => {
  // The worker never answers calls of the API. With routes, browsers do not even start it for them.
  const isRouted = event.addRoutes?.({ condition: { urlPattern: `${apiBase}/*` }, source: 'network' })
  event.waitUntil(Promise.all([store(), isRouted?.catch(() => {})]))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
  event.waitUntil(sendKept().catch(console.warn))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isDashboard(pathname)) event.respondWith(page(request))
    else if (pathname === landing) event.respondWith(landingPage(request))
    event.waitUntil(sendKept().catch(console.warn))
  } else if (pathname.startsWith('/assets/')) event.respondWith(asset(pathname))
})

// `ended`: the token of an ended session. Without it, the connection is back.
self.addEventListener('message', (event) => {
  const ended: unknown = event.data?.ended
  // The page sends it too. The worker repeats it if that fails.
  event.waitUntil((typeof ended === 'string' ? keepEnded(ended) : sendWhenBack()).catch(console.warn))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showReminder(event.data))
  event.waitUntil(sendKept().catch(console.warn))
})

self.addEventListener('notificationclick', (event) => event.waitUntil(answerReminder(event)))

// After a failure the browser tries again.
self.addEventListener('sync', (event) => (event as ExtendableEvent).waitUntil(sendKept()))

/** Milliseconds before another attempt. */
const pause = 3000

/** Sends presses and ended sessions. Fails if some are left. */
const sendKept = () => Promise.all([sendPresses(), sendEnded()])

/** Tries twice, because a new connection may be unstable at first. */
const sendWhenBack = () =>
  sendKept().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, pause))
    await sendKept()
  })

/** Stores all files of the build, or none. */
async function store() {
  try {
    const cache = await caches.open(build)
    await Promise.all(
      Object.keys(files).map(async (path) => {
        const response = await fetched(path)
        // It can come from a server of another build. The browser tries again later.
        if (!response.ok) throw new Error(`${path} was not answered with the file of this build.`)
        await cache.put(path, response)
      }),
    )
    await cache.put(hashesPath, Response.json(files))
    await self.skipWaiting()
  } catch (error) {
    await caches.delete(build)
    throw error
  }
}

/** Whether the response is this whole file. A proxy may answer with a page. Without a hash, only the type is checked. */
async function isRight(path: string, response: Response, known: Hashes): Promise<boolean> {
  const type = types[path.split('.').pop() ?? ''] ?? html
  const isOfType = type.test(response.headers.get('content-type') ?? '')
  if (!response.ok || response.redirected || !isOfType) return false
  const hash = known[path]
  return hash === undefined || hash === (await hashOf(response.clone()).catch(() => 'The body was cut.'))
}

async function hashOf(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The file, or an error response: any other answer must not be stored or run. */
async function fetched(path: string, known = files): Promise<Response> {
  let response = Response.error()
  // The second attempt bypasses a wrong answer in the HTTP cache.
  for (const cache of ['default', 'reload'] as const) {
    response = await fetch(path, { cache }).catch(() => Response.error())
    if (await isRight(path, response, known)) return response
  }
  return response.ok ? Response.error() : response
}

/** Serves open pages too. Pages of the previous build get a message and keep their files. */
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name !== build && name !== endedSessions)
  const previous = others.pop()
  await Promise.all(others.map((name) => caches.delete(name)))
  await self.clients.claim()
  if (previous === undefined) return
  for (const client of await self.clients.matchAll()) client.postMessage('new version')
}

/** The stored page, or the answer of the network, which may require a login. */
async function page(request: Request): Promise<Response> {
  return (await stored(shell, [build])) ?? (await kept(shell, await fetch(request)))
}

/** The answer of the network, or offline the stored page: a logout leads there. */
const landingPage = async (request: Request): Promise<Response> =>
  await fetch(request).catch(async () => (await stored(landing, [build])) ?? Response.error())

/** The content of a path never changes, so open pages can use the cache of the previous build. */
async function asset(path: string): Promise<Response> {
  const names = await caches.keys().catch(() => [])
  const known = path in files ? files : await hashesIn(names)
  const held = await stored(path, names, known)
  if (held) return held
  const response = await fetched(path, known)
  // The server has another build.
  if (response.status === 404) self.registration.update().catch(console.warn)
  return await kept(path, response)
}

async function hashesIn(names: string[]): Promise<Hashes> {
  const all = await Promise.all(
    names.map(async (name) => (await (await caches.open(name)).match(hashesPath))?.json()),
  ).catch(console.warn)
  return Object.assign({}, ...(all ?? []))
}

/** The file from one of these caches. Wrong entries are removed. A browser can lose its storage at any time. */
async function stored(path: string, names: string[], known = files): Promise<Response | undefined> {
  try {
    for (const name of names) {
      const cache = await caches.open(name)
      const held = await cache.match(path, { ignoreVary: true })
      if (held && (await isRight(path, held, known))) return held
      if (held) await cache.delete(path)
    }
  } catch (error) {
    console.warn(error)
  }
  return undefined
}

/** Stores a file of this build again if it was lost. */
async function kept(path: string, response: Response): Promise<Response> {
  if (path in files && (await isRight(path, response, files)))
    await caches
      .open(build)
      .then((cache) => cache.put(path, response.clone()))
      .catch(console.warn)
  return response
}
