import { hashKey, type QueryCacheNotifyEvent } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { ListName } from '#contract/lists.ts'
import { useParts } from '../../state/dashboard.tsx'
import { isNextPage, taskListKey } from '../../store/task-lists.ts'
import { dashboardToast } from '../../ui/toasts.tsx'
import type { ListToasts } from '../../views/views.ts'

/** Announces each answer to this opening of the list; further pages and the page's own changes raise no toast. */
export function useListToasts(list: ListName, toasts: ListToasts | undefined) {
  const dashboard = useParts()

  const announce = useEffectEvent(
    ({ action, query }: Extract<QueryCacheNotifyEvent, { type: 'updated' }>) => {
      if (isNextPage(query)) return
      if (action.type === 'error') {
        console.error(action.error)
        if (toasts) dashboardToast.error(toasts.failed)
      }
      if (action.type === 'success' && !action.manual && toasts) {
        const isEmpty = query.state.data.pages[0].isEmpty
        if (isEmpty) dashboardToast.info(toasts.none)
        else if (toasts.found) dashboardToast.success(toasts.found)
      }
    },
  )

  useEffect(() => {
    const hash = hashKey(taskListKey(list))
    return dashboard.queryClient.getQueryCache().subscribe((event) => {
      // Other events occur during rendering too, where an effect event must not be called.
      if (event.type === 'updated' && event.query.queryHash === hash) announce(event)
    })
  }, [dashboard, list])
}
