import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'
import { followSettings, syncSettings } from '../settings/settings-store.ts'
import { isOfPanel } from '../store/task-lists.ts'

/** Applies the settings that this browser keeps, and fetches them once the panel has its list, which comes first. */
export function useSettingsSync(queryClient: QueryClient) {
  useLayoutEffect(followSettings, [])
  useEffect(() => {
    const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || !isOfPanel(query) || query.state.status !== 'success') return
      stop()
      syncSettings()
    })
    return stop
  }, [queryClient])
}
