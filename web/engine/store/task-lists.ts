import { todayHere } from '#contract/days.ts'
import { compareInList, type ListName, listNames, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import type { Needs } from '../needs.ts'
import type { AllFetched } from './fetched.ts'
import { listedTasks } from './specified-task.ts'
import type { Store } from './store.ts'

type PageStart = { cursor: string; after: Task } | undefined

/** What the store does not have of an answer. `next`: if more tasks follow. */
type ListPage = { isEmpty: boolean; next: PageStart }

export type Fetching = { needs: Needs; fetched: AllFetched; store: Store }

async function fetchPage(
  { needs: { call }, store }: Fetching,
  list: ListName,
  start: PageStart,
  signal?: AbortSignal,
): Promise<ListPage> {
  const { data, cursor } = await call(lists[list].endpoint, {
    query: start ? { cursor: start.cursor } : {},
    signal,
  })
  if (!Array.isArray(data.lists)) throw new Error('The server answered without a list.')
  const tasks = listedTasks(data.lists, list)
  const end = data.nextCursor === undefined ? undefined : tasks.at(-1)
  if (start && end) expectProgress(compareInList(lists[list], start.after, end))
  store.put({ tasks })
  if (cursor === undefined) store.removeAbsent(list, todayHere(), { tasks, after: start?.after, end })
  return { isEmpty: tasks.length === 0, next: end && { cursor: String(data.nextCursor), after: end } }
}

/** Throws if a page does not end after the page before: the list would be read forever. */
export function expectProgress(order: number) {
  if (order >= 0) throw new Error('The server answered with the same page again.')
}

/** A list by its call. After a failure, the reader decides whether to try again. */
export const taskListOf = (fetching: Fetching, list: ListName) =>
  fetching.fetched.of<ListPage>(list, (after, signal) => fetchPage(fetching, list, after?.next, signal))

export async function reloadLists({ fetched }: Pick<Fetching, 'fetched'>, signal?: AbortSignal) {
  for (const list of listNames) await fetched.open(list)?.reload(signal)
}
