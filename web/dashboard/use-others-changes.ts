import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deltasOf } from '../sync/deltas.ts'
import { followChanges } from '../sync/follow-changes.ts'
import { followerOf } from '../sync/followers.ts'
import { reloadLists, showDelta } from '../tasks/task-cache.ts'

/** Shows what other tabs and devices change, for as long as the dashboard is open. */
export function useOthersChanges(queryClient: QueryClient) {
  useEffect(
    () =>
      followChanges(followerOf(queryClient), {
        show(delta) {
          showDelta(queryClient, delta)
          deltasOf(queryClient).publish(delta)
        },
        async reload() {
          await reloadLists(queryClient)
          deltasOf(queryClient).publish({ reset: true })
        },
      }),
    [queryClient],
  )
}
