import { hashKey, infiniteQueryOptions, type QueryClient, type QueryState } from '@tanstack/react-query'
import { compareInList, type ListName, listNames, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { untilDone } from '../sync/retry-delay.ts'
import { todayHere } from '../ui/civil-day.ts'
import { listedTasks } from './specified-task.ts'
import type { Store } from './store.ts'

/** Offline too, a failure is reported at once: nothing waits to be sent later. */
export const networkMode = 'always'

/** The key that the queries of all lists start with. */
export const allTaskLists = { queryKey: ['tasks'] }

export const taskListKey = (list: ListName) => [...allTaskLists.queryKey, list]

/** Whether a query is one of a panel, of tasks or of notes. The queries of the dashboard's frame wait for it. */
export const isOfPanel = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[0] === 'tasks' || queryKey[0] === 'notes'

/** How a page of a list is asked for: from a cursor, after the last task of the page before. */
type PageStart = { cursor: string; after: Task } | undefined

/** The part of a list's answer that is not in the store: the last task, if there are more after it. */
type ListPage = { isEmpty: boolean; next: PageStart }

/** The parts of the dashboard that fetch lists. */
export type Fetching = { queryClient: QueryClient; store: Store }

/** Fetches a page of a list into the store. */
async function fetchPage(
  store: Store,
  list: ListName,
  start: PageStart,
  signal?: AbortSignal,
): Promise<ListPage> {
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
export const taskListQuery = (store: Store, list: ListName) =>
  infiniteQueryOptions({
    queryKey: taskListKey(list),
    queryFn: ({ pageParam, signal }) => fetchPage(store, list, pageParam, signal),
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

/** Asks for the open list again, without the toasts of an opening. */
export async function reloadLists({ queryClient, store }: Fetching, signal?: AbortSignal) {
  const open = queryClient.getQueryCache().findAll({ ...allTaskLists, type: 'active' })
  for (const list of listNames) {
    const { queryKey } = taskListQuery(store, list)
    if (!open.some(({ queryHash }) => queryHash === hashKey(queryKey))) continue
    const page = await fetchPage(store, list, undefined, signal)
    queryClient.setQueryData(queryKey, { pages: [page], pageParams: [undefined] })
  }
}

/**
 * Asks for the open list again because the day has changed or its opening failed. The reader did not ask for it, so a
 * failure is not reported: a computer that wakes up in the morning is often not connected yet.
 */
export const reloadUntilLoaded = (fetching: Fetching, signal: AbortSignal) =>
  untilDone(() => reloadLists(fetching), signal).catch((error) => signal.aborted || console.error(error))

/** Removes all but the first page, so that the next opening fetches one page and not all that were loaded by scrolling. */
export const keepFirstPage = ({ queryClient, store }: Fetching, list: ListName) =>
  queryClient.setQueryData(taskListQuery(store, list).queryKey, (held) =>
    held && held.pages.length > 1
      ? { pages: held.pages.slice(0, 1), pageParams: held.pageParams.slice(0, 1) }
      : held,
  )
