import {
  hashKey,
  type InfiniteData,
  notifyManager,
  type QueryClient,
  type QueryState,
} from '@tanstack/react-query'
import type { Delta } from '#contract/changes.ts'
import { type ListName, listNames } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { perCache } from '../sync/per-cache.ts'
import { isTemporary, waitToRetry } from '../sync/retry-delay.ts'
import { todayHere } from '../ui/civil-day.ts'
import { type FoundTasks, searchesHeld, withFound, withoutFound } from './found-tasks.ts'
import { countOpenDays, reloadOpenDays } from './open-days.ts'
import { allTaskLists, fetchPage, type HeldPage, taskListQuery } from './queries.ts'
import { without, withStored } from './task-lists.ts'

/** The newest version of each task that was shown after a change of it. */
const newestVersions = perCache((_: QueryClient) => new Map<string, number>())

/** Without those that are older than what was shown of them: an answer may be shown after a later change. */
function notOutdated(queryClient: QueryClient, tasks: Task[]): Task[] {
  const newest = newestVersions(queryClient)
  const shown = tasks.filter(({ _id, version }) => version >= (newest.get(_id) ?? 0))
  for (const { _id, version } of shown) newest.set(_id, version)
  return shown
}

/** Shows stored tasks in every list and search that is held, without a reload. */
export async function showStored(queryClient: QueryClient, ...stored: (Task | undefined)[]) {
  const tasks = notOutdated(
    queryClient,
    stored.filter((task) => task !== undefined),
  )
  if (tasks.length === 0) return
  countOpenDays(queryClient, heldTasks(queryClient), tasks)
  await changeListsAlone(queryClient, changeTo(tasks))
}

/** Settles when the lists show what was stored before: they learn of it in a task of their own. */
export const listsRendered = () => new Promise<void>((rendered) => notifyManager.schedule(() => rendered()))

/** Takes deleted tasks out of every list and search that is held. `version`: the one with which they were deleted, if known. */
export function showDeleted(queryClient: QueryClient, ids: string[], version?: number) {
  if (version !== undefined) for (const id of ids) newestVersions(queryClient).set(id, version)
  countOpenDays(queryClient, heldTasks(queryClient), [], ids)
  return changeListsAlone(queryClient, changeTo([], ids))
}

/** Shows what other tabs and devices have changed in every list and search that is held. */
export function showDelta(queryClient: QueryClient, { tasks = [], notes = [], purged = [] }: Delta) {
  if (tasks.length > 0) reloadOpenDays(queryClient, tasks)
  changeLists(queryClient, changeTo(notOutdated(queryClient, tasks), purged))
  // Whether a note contains the words, only its whole text tells.
  if (notes.length > 0) void queryClient.invalidateQueries(searchesHeld)
}

/** Shows these tasks as they are now, and none of those that have gone. */
function changeTo(stored: Task[], gone: string[] = []): Change {
  const today = todayHere()
  return {
    inList: (list, tasks, end) =>
      stored.reduce(
        (shown, task) => withStored(list, shown, task, { today, end }),
        gone.reduce(without, tasks),
      ),
    inSearch: (found) => stored.reduce(withFound, gone.reduce(withoutFound, found)),
  }
}

/** The newest version that is held of each task. */
export function heldTasks(queryClient: QueryClient): Map<string, Task> {
  const held = new Map<string, Task>()
  const listed = listNames.flatMap(
    (list) => queryClient.getQueryData(taskListQuery(list).queryKey)?.pages ?? [],
  )
  const found = queryClient.getQueriesData<FoundTasks>(searchesHeld).flatMap(([, data]) => data?.tasks ?? [])
  for (const task of [...listed.flatMap(({ lists }) => lists), ...found])
    if (task.version >= (held.get(task._id)?.version ?? 0)) held.set(task._id, task)
  return held
}

/** The task as the lists show it, if one of them contains it. */
export function heldTask(queryClient: QueryClient, id: string): Task | undefined {
  for (const list of listNames) {
    const held = queryClient.getQueryData(taskListQuery(list).queryKey)
    const task = held?.pages.flatMap((page) => page.lists).find(({ _id }) => _id === id)
    if (task) return task
  }
}

/** Loads the open list again and forgets the others, without the toasts of an opening. */
export async function reloadLists(queryClient: QueryClient) {
  // After the restore of a backup, versions are given again.
  newestVersions(queryClient).clear()
  queryClient.removeQueries({ ...allTaskLists, type: 'inactive' })
  reloadOpenDays(queryClient)
  const open = queryClient.getQueryCache().findAll({ ...allTaskLists, type: 'active' })
  for (const list of listNames) {
    const { queryKey } = taskListQuery(list)
    if (!open.some(({ queryHash }) => queryHash === hashKey(queryKey))) continue
    const page = await fetchPage(queryClient, list, '')
    queryClient.setQueryData(queryKey, { pages: [page], pageParams: [''] })
  }
  await queryClient.refetchQueries({ ...searchesHeld, type: 'active' }, { throwOnError: true })
}

/**
 * Loads the open list again because the day has changed. The reader did not ask for it, so a failure is not reported: a
 * computer that wakes up in the morning is often not connected yet.
 */
export async function reloadUntilLoaded(queryClient: QueryClient, signal: AbortSignal) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      return await reloadLists(queryClient)
    } catch (error) {
      console.error(error)
      if (!isTemporary(problemFrom(error)?.status ?? 400)) return
    }
    await waitToRetry(failures, signal)
  }
}

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

type Change = {
  inList: (list: ListName, tasks: Task[], end: Task | undefined) => Task[]
  inSearch: (found: FoundTasks) => FoundTasks
}

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
      (held) => held && inOnePage(held, (tasks, end) => change.inList(list, tasks, end)),
    )
  queryClient.setQueriesData<FoundTasks>(searchesHeld, (found) => found && change.inSearch(found))
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
