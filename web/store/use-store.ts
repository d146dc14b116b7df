import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { perCache } from '../sync/per-cache.ts'
import type { Device } from './device.ts'
import { createReplication } from './replication.ts'
import { createStore, type Store } from './store.ts'

/** The store of the dashboard with this query cache. */
export const storeOf = perCache(createStore)
/** The storage of this device, as soon as it has been read; if nothing is stored, the promise stays pending. */
export const deviceOf = perCache(() => Promise.withResolvers<Device>())
export const replicationOf = perCache((cache: object) => createReplication(storeOf(cache)))

/** The result of `select` on the store, now and after each change. It must return the same value until that changes. */
export function useStored<Value>(select: (store: Store) => Value): Value {
  const store = storeOf(useQueryClient())
  const read = () => select(store)
  return useSyncExternalStore(
    useCallback((look: () => void) => store.subscribe(look), [store]),
    read,
    read,
  )
}
