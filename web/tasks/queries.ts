import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { type ListName, lists } from '#contract/lists.ts'
import type { Task, TaskPage } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { followerOf } from '../sync/followers.ts'

/** Offline too, a failure is reported at once: nothing waits to be sent later. */
export const networkMode = 'always'

/** The key that the queries of all lists start with. */
export const allTaskLists = { queryKey: ['tasks'] }

/** Whether a query is one of a panel, of tasks or of notes. What the frame of the dashboard asks for comes after it. */
export const isOfPanel = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[0] === 'tasks' || queryKey[0] === 'notes'

/** `end`: the task that was the last of the page when it was loaded, if that was changed since and there are more. */
export type HeldPage = TaskPage & { end?: Task }

/** Fetches a page of a list and reports up to which change the list is then complete. */
export async function fetchPage(
  queryClient: QueryClient,
  list: ListName,
  cursor: string,
  signal?: AbortSignal,
): Promise<HeldPage> {
  const follower = followerOf(queryClient)
  const before = follower.held
  const answer = await call(lists[list].endpoint, {
    query: cursor ? { cursor } : {},
    ...(signal && { signal }),
  })
  // A further page is put behind the pages as they were when it was asked for.
  if (cursor && before !== undefined) follower.listed(before)
  follower.listed(answer.cursor)
  return answer.data
}

/** A list, page by page. It is loaded by each opening, and by nothing else on its own. */
export const taskListQuery = (list: ListName) =>
  infiniteQueryOptions({
    queryKey: [...allTaskLists.queryKey, list],
    queryFn: ({ client, pageParam: cursor, signal }) => fetchPage(client, list, cursor, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Whether to try again is the reader's choice.
    retry: false,
    networkMode,
  })
