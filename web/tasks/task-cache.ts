import { hashKey, type InfiniteData, type QueryClient, type QueryState } from '@tanstack/react-query'
import type { Delta } from '#contract/changes.ts'
import { type ListName, listNames } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { todayHere } from '../ui/civil-day.ts'
import { allTaskLists, fetchPage, type HeldPage, taskListQuery } from './queries.ts'
import { type Extent, without, withStored } from './task-lists.ts'

/** Shows a stored task in every list that is held, without a reload. */
export const showStored = (queryClient: QueryClient, stored: Task | undefined) =>
  stored &&
  changeListsAlone(queryClient, (list, tasks, end) => withStored(list, tasks, stored, extentTo(end)))

/** Takes a deleted task out of every list that is held. */
export const showDeleted = (queryClient: QueryClient, id: string) =>
  changeListsAlone(queryClient, (_list, tasks) => without(tasks, id))

/** Shows what other tabs and devices have changed in every list that is held. */
export const showDelta = (queryClient: QueryClient, { tasks: changed = [], purged = [] }: Delta) =>
  changeLists(queryClient, (list, tasks, end) => {
    const kept = purged.reduce(without, tasks)
    const extent = extentTo(end)
    return changed.reduce((shown, task) => withStored(list, shown, task, extent), kept)
  })

/** Loads the open list again and forgets the others, without the toasts of an opening. */
export async function reloadLists(queryClient: QueryClient) {
  queryClient.removeQueries({ ...allTaskLists, type: 'inactive' })
  const open = queryClient.getQueryCache().findAll({ ...allTaskLists, type: 'active' })
  for (const list of listNames) {
    const { queryKey } = taskListQuery(list)
    if (!open.some(({ queryHash }) => queryHash === hashKey(queryKey))) continue
    const page = await fetchPage(queryClient, list, '')
    queryClient.setQueryData(queryKey, { pages: [page], pageParams: [''] })
  }
}

const extentTo = (end: Task | undefined): Extent => ({ today: todayHere(), end })

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

type Change = (list: ListName, tasks: Task[], end: Task | undefined) => Task[]

async function changeListsAlone(queryClient: QueryClient, change: Change) {
  // An answer on its way was read before the change and would undo it, so the open list is loaded again.
  const opening = queryClient
    .getQueryCache()
    .findAll({ ...allTaskLists, type: 'active', fetchStatus: 'fetching' })
    .filter((query) => !isNextPage(query))
  await queryClient.cancelQueries(allTaskLists)
  changeLists(queryClient, change)
  for (const { queryKey } of opening) queryClient.refetchQueries({ queryKey, exact: true })
}

function changeLists(queryClient: QueryClient, change: Change) {
  for (const list of listNames)
    queryClient.setQueryData(
      taskListQuery(list).queryKey,
      (held) => held && inOnePage(held, (tasks, end) => change(list, tasks, end)),
    )
}

/** The tasks in one page, or the same pages if the change does not concern this list. */
function inOnePage(
  held: InfiniteData<HeldPage>,
  change: (tasks: Task[], end: Task | undefined) => Task[],
): InfiniteData<HeldPage> {
  const last = held.pages.at(-1)
  const nextCursor = last?.nextCursor
  const end = nextCursor === undefined ? undefined : (last?.end ?? last?.lists.at(-1))
  const tasks = held.pages.flatMap((page) => page.lists)
  const lists = change(tasks, end)
  if (lists === tasks) return held
  return { pages: [{ lists, ...(end && nextCursor !== undefined && { nextCursor, end }) }], pageParams: [''] }
}
