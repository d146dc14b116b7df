import {
  hashKey,
  infiniteQueryOptions,
  type QueryClient,
  type QueryState,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { pageSize } from '#contract/limits.ts'
import { compareInList, type ListName, listNames, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { untilDone } from '../sync/retry-delay.ts'
import { todayHere } from '../ui/civil-day.ts'
import { usePrinting } from '../ui/use-printing.ts'
import { isDueBefore } from './item-rules.ts'
import { listedTasks } from './specified-task.ts'
import { storeOf, useStored } from './use-store.ts'

/** Offline too, a failure is reported at once: nothing waits to be sent later. */
export const networkMode = 'always'

/** The key that the queries of all lists start with. */
export const allTaskLists = { queryKey: ['tasks'] }

/** Whether a query is one of a panel, of tasks or of notes. The queries of the dashboard's frame wait for it. */
export const isOfPanel = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[0] === 'tasks' || queryKey[0] === 'notes'

/** How a page of a list is asked for: from a cursor, after the last task of the page before. */
type PageStart = { cursor: string; after: Task } | undefined

/** The part of a list's answer that is not in the store: the last task, if there are more after it. */
type ListPage = { isEmpty: boolean; next: PageStart }

/** Fetches a page of a list into the store. */
async function fetchPage(
  queryClient: QueryClient,
  list: ListName,
  start: PageStart,
  signal?: AbortSignal,
): Promise<ListPage> {
  const store = storeOf(queryClient)
  const { data, cursor } = await call(lists[list].endpoint, {
    query: start ? { cursor: start.cursor } : {},
    ...(signal && { signal }),
  })
  const tasks = listedTasks(listedIn(data), list)
  const end = data.nextCursor === undefined ? undefined : tasks.at(-1)
  if (start && end) expectProgress(compareInList(lists[list], start.after, end))
  store.put({ tasks })
  if (cursor === undefined) store.removeAbsent(list, todayHere(), { tasks, after: start?.after, end })
  return { isEmpty: tasks.length === 0, next: end && { cursor: String(data.nextCursor), after: end } }
}

function listedIn({ lists }: { lists?: unknown }): unknown[] {
  if (!Array.isArray(lists)) throw new Error('The server answered without a list.')
  return lists
}

/** Throws if the last item of a page does not come after the last item of the page before. The list would be read for ever. */
export function expectProgress(order: number) {
  if (order >= 0) throw new Error('The server answered with the same page again.')
}

/** The calls of a list, page by page. The first one is made by each opening, and by nothing else on its own. */
export const taskListQuery = (list: ListName) =>
  infiniteQueryOptions({
    queryKey: [...allTaskLists.queryKey, list],
    queryFn: ({ client, pageParam, signal }) => fetchPage(client, list, pageParam, signal),
    initialPageParam: undefined as PageStart,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Whether to try again is the reader's choice.
    retry: false,
    networkMode,
  })

/** Whether this query was asked for a further page of its list, not for the list itself. */
export const isNextPage = ({ state }: { state: Pick<QueryState, 'fetchMeta'> }): boolean =>
  state.fetchMeta?.fetchMore !== undefined

/**
 * The tasks of a list in the store, as far as they are shown. They are shown up to the end of the answers, or up to the end of
 * the first page that this device has kept. If the store is complete, a page more is shown each time, and all on paper. Without
 * any of them, `tasks` is undefined. After a failure, `tasks` are those that the store has, and `isKnown` says whether they are
 * the first ones of the list.
 */
export function useListed(
  list: ListName,
  today: string,
  options: { refetchOnMount?: false; needsAnswer?: boolean } = {},
) {
  const { needsAnswer = false, ...queryOptions } = options
  const query = useInfiniteQuery({ ...taskListQuery(list), ...queryOptions })
  const { data, fetchNextPage } = query
  const all = useStored((store) => store.list(list, today))
  const isComplete = useStored((store) => store.isComplete)
  const hasFirst = useStored((store) => store.hasFirst)
  const [wanted, setWanted] = useState(pageSize.default)
  const isWhole = usePrinting() && isComplete

  const end = data?.pages.at(-1)?.next?.after
  const isFailed = query.isError && all.length > 0
  const tasks = useMemo(() => {
    if (!data && !isFailed && (needsAnswer || !hasFirst)) return
    if (isWhole) return all
    const reached = data ? countUpTo(all, list, end) : hasFirst ? 0 : all.length
    // Overdue tasks are folded: however many they are, those of the day are shown with them.
    const overdue = list === 'today' && isComplete ? all.findIndex((task) => !isDueBefore(task, today)) : 0
    return all.slice(0, hasFirst ? Math.max(wanted + Math.max(0, overdue), reached) : reached)
  }, [all, list, today, data, end, hasFirst, isComplete, isFailed, isWhole, needsAnswer, wanted])

  const shown = tasks?.length ?? 0
  const showMore = useCallback(
    (pages = 1) => (isComplete ? setWanted(shown + pages * pageSize.default) : void fetchNextPage()),
    [isComplete, shown, fetchNextPage],
  )
  return {
    query,
    tasks,
    isKnown: data !== undefined || hasFirst,
    hasMore: isComplete ? shown < all.length : query.hasNextPage && !query.isFetching,
    isComplete,
    showMore,
  }
}

/** The number of tasks up to the last one of the newest page, or of all if there are no more. */
function countUpTo(tasks: readonly Task[], list: ListName, end: Task | undefined): number {
  if (!end) return tasks.length
  const after = tasks.findIndex((task) => compareInList(lists[list], task, end) > 0)
  return after < 0 ? tasks.length : after
}

/** Asks for the open list again, without the toasts of an opening. */
export async function reloadLists(queryClient: QueryClient, signal?: AbortSignal) {
  const open = queryClient.getQueryCache().findAll({ ...allTaskLists, type: 'active' })
  for (const list of listNames) {
    const { queryKey } = taskListQuery(list)
    if (!open.some(({ queryHash }) => queryHash === hashKey(queryKey))) continue
    const page = await fetchPage(queryClient, list, undefined, signal)
    queryClient.setQueryData(queryKey, { pages: [page], pageParams: [undefined] })
  }
}

/**
 * Asks for the open list again because the day has changed or its opening failed. The reader did not ask for it, so a
 * failure is not reported: a computer that wakes up in the morning is often not connected yet.
 */
export const reloadUntilLoaded = (queryClient: QueryClient, signal: AbortSignal) =>
  untilDone(() => reloadLists(queryClient), signal).catch((error) => signal.aborted || console.error(error))

/** Removes all but the first page, so that the next opening fetches one page and not all that were loaded by scrolling. */
export const keepFirstPage = (queryClient: QueryClient, list: ListName) =>
  queryClient.setQueryData(taskListQuery(list).queryKey, (held) =>
    held && held.pages.length > 1
      ? { pages: held.pages.slice(0, 1), pageParams: held.pageParams.slice(0, 1) }
      : held,
  )
