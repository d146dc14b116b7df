declare const self: ServiceWorkerGlobalScope

// With OFFLINE=off, the server sends this file instead of the worker. It removes the worker and all stored data.

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))

self.addEventListener('activate', (event) => event.waitUntil(removeAll()))

async function removeAll() {
  for (const name of await caches.keys()) await caches.delete(name)
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name)
  await self.registration.unregister()
}

export {}
