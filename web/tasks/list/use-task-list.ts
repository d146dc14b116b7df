import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { dependsOnToday, type ListName, lists } from '#contract/lists.ts'
import { offline } from '../../store/page-connection.ts'
import { untilDone } from '../../sync/retry-delay.ts'
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
  const { fetched, fetching, failure, hasNext, ...shown } = useListed(list, today, { needsAnswer })
  const { tasks, isKnown, isComplete, hasMore, showMore } = shown
  const isOffline = useStore(offline)
  useListToasts(list, toasts)
  const isLoadedToPrint = usePrintAll({
    hasNextPage: !isComplete && hasNext,
    isFetching: fetching !== undefined,
    isError: failure !== undefined,
    fetchNextPage: fetched.fetchNext,
  })

  const loadedDay = useRef(today)
  useEffect(() => {
    if (loadedDay.current === today) return
    loadedDay.current = today
    if (!dependsOnToday(lists[list])) return
    const left = new AbortController()
    // Nobody asked for it, so a failure is not reported: a computer that wakes up in the morning is often not connected yet.
    untilDone(fetched.reload, left.signal).catch((error) => left.signal.aborted || console.error(error))
    return () => left.abort()
  }, [fetched, list, today])

  const failedMore = failure?.which === 'next'
  useRetry(failedMore ? undefined : failure?.error, fetched.reload)

  return {
    tasks,
    // Offline, a line above all lists says so.
    error: fetching || (isOffline && isKnown && tasks) ? undefined : failure?.error,
    failedMore,
    hasMore,
    loadMore: showMore,
    isLoadedToPrint,
    retry: fetched.refetch,
  }
}
