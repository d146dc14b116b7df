import { pageClient, pageSession } from '../api/page-client.ts'
import { deviceDatabase, ownAccount } from '../api/session.ts'
import type { Needs } from '../engine/needs.ts'
import { createSigns } from '../engine/sync/signs.ts'

// Loaded before the page is hydrated if there is something on the device.
if (globalThis.navigator?.serviceWorker?.controller) import('../engine/store/device.ts').catch(() => {})

const uses = ['pointerdown', 'keydown', 'input', 'wheel', 'touchmove'] as const

export const pageSigns = createSigns({
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === 'visible',
})

/** The prerendered page has no window. */
if (globalThis.window) {
  const { isVisible, tell } = pageSigns
  for (const sign of ['online', 'offline', 'focus'] as const) window.addEventListener(sign, () => tell(sign))
  document.addEventListener('visibilitychange', () => tell(isVisible() ? 'shown' : 'hidden'))
  window.addEventListener('pagehide', () => tell('hidden'))
  for (const use of uses) window.addEventListener(use, () => tell('use'), { capture: true, passive: true })
}

/** What the engine gets from this page. The prerendered page has no storage and starts no engine. */
export function pageNeeds(): Needs {
  const isPage = typeof document !== 'undefined'
  return {
    ...pageClient,
    ...pageSession,
    ...pageSigns,
    account: isPage ? ownAccount() : undefined,
    local: (isPage && localStorage) as Storage,
    tab: (isPage && sessionStorage) as Storage,
    onStored: (listener, signal) => window.addEventListener('storage', listener, { signal }),
    locks: globalThis.navigator?.locks,
    openChannel: (name) => new BroadcastChannel(name),
    now: () => Date.now(),
    device: deviceOf(globalThis.navigator?.serviceWorker),
  }
}

/**
 * The replica is on the device while there is a service worker: without one the dashboard does not open offline either. A server with
 * `OFFLINE=off` removes the worker. Without HTTPS there is none.
 */
const deviceOf = (worker: ServiceWorkerContainer | undefined): Needs['device'] =>
  worker && {
    database: deviceDatabase,
    async begin(follow, signal) {
      const begin = () => follow(false).catch(console.warn)
      if (worker.controller) await follow(true)
      else worker.addEventListener('controllerchange', begin, { once: true, signal })
    },
  }
