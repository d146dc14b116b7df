import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { dependsOnToday, type ListName, lists } from '#contract/lists.ts'
import type { ListToasts } from '../../views/views.ts'
import { taskListQuery } from '../queries.ts'
import { keepFirstPage, reloadUntilLoaded } from '../task-cache.ts'
import { useListToasts } from './use-list-toasts.ts'

/** One list: loaded when it opens, with its toasts, and page by page from there. */
export function useTaskList(list: ListName, toasts: ListToasts | undefined, today: string) {
  const queryClient = useQueryClient()
  const query = useInfiniteQuery(taskListQuery(list))
  useListToasts(list, toasts)
  useEffect(() => () => void keepFirstPage(queryClient, list), [queryClient, list])

  const loadedDay = useRef(today)
  useEffect(() => {
    if (loadedDay.current === today) return
    loadedDay.current = today
    if (!dependsOnToday(lists[list])) return
    const left = new AbortController()
    reloadUntilLoaded(queryClient, left.signal)
    return () => left.abort()
  }, [queryClient, list, today])

  const tasks = useMemo(() => {
    const all = query.data?.pages.flatMap((page) => page.lists)
    // A task that moved between the answers of two pages is in both.
    return all && [...new Map(all.map((task) => [task._id, task])).values()]
  }, [query.data])

  return {
    tasks,
    error: query.isFetching ? null : query.error,
    failedMore: query.isFetchNextPageError,
    hasMore: query.hasNextPage && !query.isFetching,
    loadMore: query.fetchNextPage,
    retry: () => void query.refetch(),
  }
}
