import type { InfiniteData, QueryClient, QueryState } from '@tanstack/react-query'
import { type ListName, listNames } from '#contract/lists.ts'
import type { Task, TaskPage } from '#contract/tasks.ts'
import { todayHere } from '../ui/civil-day.ts'
import { allTaskLists, taskListQuery } from './queries.ts'
import { without, withStored } from './task-lists.ts'

/** Shows a stored task in every list that is held, without a reload. */
export const showStored = (queryClient: QueryClient, stored: Task | undefined) =>
  stored &&
  changeLists(queryClient, (list, tasks, hasMore) =>
    withStored(list, tasks, stored, { today: todayHere(), hasMore }),
  )

/** Takes a deleted task out of every list that is held. */
export const showDeleted = (queryClient: QueryClient, id: string) =>
  changeLists(queryClient, (_list, tasks) => without(tasks, id))

/** Forgets all but the first page, so that the next opening asks for one page and not for all that were scrolled to. */
export const keepFirstPage = (queryClient: QueryClient, list: ListName) =>
  queryClient.setQueryData(taskListQuery(list).queryKey, (held) =>
    held && held.pages.length > 1
      ? { pages: held.pages.slice(0, 1), pageParams: held.pageParams.slice(0, 1) }
      : held,
  )

/** Whether this query was asked for a further page of its list, not for the list itself. */
export const isNextPage = ({ state }: { state: Pick<QueryState, 'fetchMeta'> }): boolean =>
  state.fetchMeta?.fetchMore !== undefined

async function changeLists(
  queryClient: QueryClient,
  change: (list: ListName, tasks: Task[], hasMore: boolean) => Task[],
) {
  // An answer on its way was read before the change and would undo it, so the open list is loaded again.
  const opening = queryClient
    .getQueryCache()
    .findAll({ ...allTaskLists, type: 'active', fetchStatus: 'fetching' })
    .filter((query) => !isNextPage(query))
  await queryClient.cancelQueries(allTaskLists)
  for (const list of listNames) {
    queryClient.setQueryData(
      taskListQuery(list).queryKey,
      (held) => held && inOnePage(held, (tasks, hasMore) => change(list, tasks, hasMore)),
    )
  }
  for (const { queryKey } of opening) queryClient.refetchQueries({ queryKey, exact: true })
}

function inOnePage(
  { pages }: InfiniteData<TaskPage>,
  change: (tasks: Task[], hasMore: boolean) => Task[],
): InfiniteData<TaskPage, string> {
  const nextCursor = pages.at(-1)?.nextCursor
  const lists = change(
    pages.flatMap((page) => page.lists),
    nextCursor !== undefined,
  )
  return { pages: [{ lists, ...(nextCursor !== undefined && { nextCursor }) }], pageParams: [''] }
}
