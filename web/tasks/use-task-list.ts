import { isCancelledError, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { dashboardToast } from '../ui/toasts.tsx'
import { taskListQuery } from './task-api.ts'
import { type TaskListName, taskLists } from './task-lists.ts'

/** One list: loaded when it opens, with its toasts, and page by page from there. */
export function useTaskList(list: TaskListName, failedText: string, today: string) {
  const queryClient = useQueryClient()
  // Opening is what loads, not the observer: each opening has its own toasts, which leaving it takes along.
  const query = useInfiniteQuery({ ...taskListQuery(list), enabled: false })
  const [attempt, setAttempt] = useState(0)

  const announce = useEffectEvent((count: number) => {
    const texts: { found?: string; none: string } = taskLists[list]
    if (count === 0) dashboardToast.info(texts.none)
    else if (texts.found) dashboardToast.success(texts.found)
  })
  const announceFailure = useEffectEvent((error: unknown) => {
    console.error(error)
    dashboardToast.error(failedText)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt, or another day, is another load
  useEffect(() => {
    let left = false
    queryClient.fetchInfiniteQuery({ ...taskListQuery(list), pages: 1 }).then(
      ({ pages }) => left || announce(pages[0]?.lists.length ?? 0),
      (error) => {
        if (left) return
        if (isCancelledError(error)) setAttempt((last) => last + 1)
        else announceFailure(error)
      },
    )
    return () => {
      left = true
    }
  }, [queryClient, list, list === 'today' && today, attempt])

  const tasks = useMemo(() => {
    const all = query.data?.pages.flatMap((page) => page.lists)
    // A task that moved between two pages' answers is in both.
    return all && [...new Map(all.map((task) => [task._id, task])).values()]
  }, [query.data])

  return {
    tasks,
    error: query.isFetching ? null : query.error,
    failedMore: query.isFetchNextPageError,
    hasMore: query.hasNextPage && !query.isFetching,
    loadMore: query.fetchNextPage,
    retry: () => setAttempt((last) => last + 1),
  }
}
