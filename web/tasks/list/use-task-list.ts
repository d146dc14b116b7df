import { useCallback, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { dependsOnToday, type ListName, lists } from '#contract/lists.ts'
import { useParts } from '../../state/dashboard.tsx'
import { offline } from '../../store/page-connection.ts'
import { keepFirstPage, reloadLists, reloadUntilLoaded } from '../../store/task-lists.ts'
import type { ListToasts } from '../../views/views.ts'
import { useListed } from '../use-listed.ts'
import { useListToasts } from './use-list-toasts.ts'
import { usePrintAll } from './use-print-all.ts'
import { useRetry } from './use-retry.ts'

type Opening = {
  toasts: ListToasts | undefined
  today: string
  /** Whether nothing is shown before the call of this opening has answered, even if the store has tasks. */
  needsAnswer: boolean
}

/** A list from the store, with the call and the toasts of its opening. It grows page by page. */
export function useTaskList(list: ListName, { toasts, today, needsAnswer }: Opening) {
  const dashboard = useParts()
  const { query, tasks, isKnown, hasMore, isComplete, showMore } = useListed(list, today, { needsAnswer })
  const isOffline = useStore(offline)
  useListToasts(list, toasts)
  const isLoadedToPrint = usePrintAll({
    hasNextPage: !isComplete && query.hasNextPage,
    isFetching: query.isFetching,
    isError: query.isError,
    fetchNextPage: query.fetchNextPage,
  })
  useEffect(() => () => void keepFirstPage(dashboard, list), [dashboard, list])

  const loadedDay = useRef(today)
  useEffect(() => {
    if (loadedDay.current === today) return
    loadedDay.current = today
    if (!dependsOnToday(lists[list])) return
    const left = new AbortController()
    reloadUntilLoaded(dashboard, left.signal)
    return () => left.abort()
  }, [dashboard, list, today])

  const failed = query.isError && !query.isFetchNextPageError ? query.error : undefined
  useRetry(
    failed,
    useCallback(() => reloadLists(dashboard), [dashboard]),
  )

  return {
    tasks,
    // Offline, a line above all lists says so.
    error: query.isFetching || (isOffline && isKnown && tasks) ? null : query.error,
    failedMore: query.isFetchNextPageError,
    hasMore,
    loadMore: showMore,
    isLoadedToPrint,
    retry: () => void query.refetch(),
  }
}
