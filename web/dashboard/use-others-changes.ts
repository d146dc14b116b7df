import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges } from '../sync/follow-changes.ts'
import { followerOf } from '../sync/followers.ts'
import { reloadLists, showDelta } from '../tasks/task-cache.ts'

/** Shows what other tabs and devices change, for as long as the dashboard is open. */
export function useOthersChanges(queryClient: QueryClient) {
  useEffect(
    () =>
      followChanges(followerOf(queryClient), {
        show: (delta) => showDelta(queryClient, delta),
        reload: () => reloadLists(queryClient),
      }),
    [queryClient],
  )
}
