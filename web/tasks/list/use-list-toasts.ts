import { useEffect, useEffectEvent } from 'react'
import type { ListName } from '#contract/lists.ts'
import { useParts } from '../../state/dashboard.tsx'
import { taskListOf } from '../../store/task-lists.ts'
import { dashboardToast } from '../../ui/toasts.tsx'
import type { ListToasts } from '../../views/views.ts'

/** Announces each answer to this opening of the list; further pages and the page's own changes raise no toast. */
export function useListToasts(list: ListName, toasts: ListToasts | undefined) {
  const dashboard = useParts()

  const announce = useEffectEvent(() => {
    const { pages, failure } = taskListOf(dashboard, list).state()
    if (failure) {
      console.error(failure.error)
      if (toasts) dashboardToast.error(toasts.failed)
    } else if (toasts) {
      if (pages[0]?.isEmpty) dashboardToast.info(toasts.none)
      else if (toasts.found) dashboardToast.success(toasts.found)
    }
  })

  useEffect(
    () => dashboard.fetched.onAnswer((name, isReload) => name === list && !isReload && announce()),
    [dashboard, list],
  )
}
