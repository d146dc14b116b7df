import { apiBase } from '#contract/limits.ts'
import { isDashboard } from '#contract/pages.ts'

/** The files of the build. `web/build.ts` replaces these names with values, so each build has its own worker. */
declare const assets: string[]
/** The name of the cache of this build. */
declare const build: string
/** The script with which the dashboard of this build begins. */
declare const entry: string

declare const self: ServiceWorkerGlobalScope

/** Chromium alone has it. */
type InstallEvent = ExtendableEvent & {
  addRoutes?: (rule: { condition: { urlPattern: string }; source: 'network' }) => Promise<void>
}

const shell = '/dashboard'

self.addEventListener('install', (event: InstallEvent) => {
  // The API is never answered here: browsers that know routes do not even start the worker for it.
  const isRouted = event.addRoutes?.({ condition: { urlPattern: `${apiBase}/*` }, source: 'network' })
  event.waitUntil(Promise.all([store(), isRouted?.catch(() => {})]))
})

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isDashboard(pathname)) event.respondWith(storedOr(request, caches.open(build), shell))
  } else if (pathname.startsWith('/assets/')) {
    // The contents of an address never change, so the cache of the previous build serves its open pages.
    event.respondWith(storedOr(request, caches, request))
  }
})

/** Stores all files of the build, or none. */
async function store() {
  try {
    const cache = await caches.open(build)
    const page = await fetched(shell)
    // Beside servers of another build, that page can be theirs. The browser tries again later.
    if (!(await page.clone().text()).includes(entry)) throw new Error('The page is of another build.')
    await cache.put(shell, page)
    await Promise.all(assets.map(async (path) => cache.put(path, await fetched(path))))
    await self.skipWaiting()
  } catch (error) {
    await caches.delete(build)
    throw error
  }
}

/** A proxy can redirect to its own login, which must not be stored as the page. */
async function fetched(path: string): Promise<Response> {
  const response = await fetch(path)
  if (!response.ok || response.redirected) throw new Error(`${path}: ${response.status}`)
  return response
}

/** Serves open pages too. Those of the previous build get a message, and keep their own files. */
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name !== build)
  const previous = others.pop()
  await Promise.all(others.map((name) => caches.delete(name)))
  await self.clients.claim()
  if (previous === undefined) return
  for (const client of await self.clients.matchAll()) client.postMessage('new version')
}

/** A browser can refuse or lose its storage at any time: then the network answers. */
async function storedOr(
  request: Request,
  stored: Promise<Cache> | CacheStorage,
  key: RequestInfo,
): Promise<Response> {
  const held = await Promise.resolve(stored)
    .then((cache) => cache.match(key, { ignoreVary: true }))
    .catch(() => undefined)
  return held ?? fetch(request)
}
