import { apiBase } from '#contract/limits.ts'
import { isDashboard } from '#contract/pages.ts'
import { endedSessions, keepEnded, sendEnded } from './ended-sessions.ts'
import { answerReminder, sendPresses, showReminder } from './reminders.ts'

/**
 * The SHA-256 of each file of the build, by its path: the page and all assets. `web/build.ts` replaces these names with values, so each
 * build has its own worker.
 */
declare const hashes: Hashes
/** The name of the cache of this build. */
declare const build: string

declare const self: ServiceWorkerGlobalScope

/** Chromium alone has it. */
type InstallEvent = ExtendableEvent & {
  addRoutes?: (rule: { condition: { urlPattern: string }; source: 'network' }) => Promise<void>
}

const [shell, landing] = ['/dashboard', '/']

type Hashes = Record<string, string>

// One use of the name: the build puts the whole value in its place.
const files = hashes

/** Where each cache has the hashes of its build, for the workers of later builds. */
const hashesPath = '/assets/hashes'

/** The beginnings of media types, by the extension of a file. */
const types: Record<string, RegExp> = {
  css: /^text\/css\b/,
  js: /^(text|application)\/javascript\b/,
  woff2: /^font\/woff2\b/,
}
const html = /^text\/html\b/

self.addEventListener('install', (event: InstallEvent) => {
  // The API is never answered here: browsers that know routes do not even start the worker for it.
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

// A session has ended, or the connection is back.
self.addEventListener('message', (event) => {
  const ended: unknown = event.data?.ended
  // The page itself sends it too, and the worker only if that does not succeed.
  event.waitUntil((typeof ended === 'string' ? keepEnded(ended) : sendWhenBack()).catch(console.warn))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showReminder(event.data))
  event.waitUntil(sendKept().catch(console.warn))
})

self.addEventListener('notificationclick', (event) => event.waitUntil(answerReminder(event)))

// If it fails, the browser tries again later.
self.addEventListener('sync', (event) => (event as ExtendableEvent).waitUntil(sendKept()))

/** In milliseconds: before another attempt. */
const pause = 3000

/** Sends what was done without a network. Fails if something is left. */
const sendKept = () => Promise.all([sendPresses(), sendEnded()])

/** Sends it when the connection is back, which may not last at first. */
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
        // Beside servers of another build, it can be theirs. The browser tries again later.
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

/**
 * Whether the response is this file, whole. A network that wants a login, or a proxy, can answer each request with a page of its own.
 * Of a file without a hash, only the type is known.
 */
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

/** The file, or a response that is an error: another answer must not be stored, and not run. */
async function fetched(path: string, known = files): Promise<Response> {
  let response = Response.error()
  // The second attempt replaces a wrong answer that the browser's own cache keeps.
  for (const cache of ['default', 'reload'] as const) {
    response = await fetch(path, { cache }).catch(() => Response.error())
    if (await isRight(path, response, known)) return response
  }
  return response.ok ? Response.error() : response
}

/** Serves open pages too. Those of the previous build get a message, and keep their own files. */
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name !== build && name !== endedSessions)
  const previous = others.pop()
  await Promise.all(others.map((name) => caches.delete(name)))
  await self.clients.claim()
  if (previous === undefined) return
  for (const client of await self.clients.matchAll()) client.postMessage('new version')
}

/** The stored page, or what the network answers, which can be a login that the network wants. */
async function page(request: Request): Promise<Response> {
  return (await stored(shell, [build])) ?? (await kept(shell, await fetch(request)))
}

/** What the network answers. Without a network the stored page: a logout leads to it. */
const landingPage = async (request: Request): Promise<Response> =>
  await fetch(request).catch(async () => (await stored(landing, [build])) ?? Response.error())

/** The contents of a path never change, so the cache of the previous build serves its open pages. */
async function asset(path: string): Promise<Response> {
  const names = await caches.keys().catch(() => [])
  const known = path in files ? files : await hashesIn(names)
  const held = await stored(path, names, known)
  if (held) return held
  const response = await fetched(path, known)
  // The server has another build, which replaces this one.
  if (response.status === 404) self.registration.update().catch(console.warn)
  return await kept(path, response)
}

/** The hashes of the builds of these caches. */
async function hashesIn(names: string[]): Promise<Hashes> {
  const all = await Promise.all(
    names.map(async (name) => (await (await caches.open(name)).match(hashesPath))?.json()),
  ).catch(console.warn)
  return Object.assign({}, ...(all ?? []))
}

/** The file in one of these caches. Wrong entries are removed. A browser can refuse or lose its storage at any time. */
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

/** Stores the answer again if it is a file of this build that was lost or removed. */
async function kept(path: string, response: Response): Promise<Response> {
  if (path in files && (await isRight(path, response, files)))
    await caches
      .open(build)
      .then((cache) => cache.put(path, response.clone()))
      .catch(console.warn)
  return response
}
