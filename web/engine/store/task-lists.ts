import { todayHere } from '#contract/days.ts'
import { compareInList, type ListName, listNames, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import type { Needs } from '../needs.ts'
import type { AllFetched } from './fetched.ts'
import { listedTasks } from './specified-task.ts'
import type { Store } from './store.ts'

/** How a page of a list is asked for: from a cursor, after the last task of the page before. */
type PageStart = { cursor: string; after: Task } | undefined

/** The part of a list's answer that is not in the store: the last task, if there are more after it. */
type ListPage = { isEmpty: boolean; next: PageStart }

/** The parts of the dashboard that fetch lists. */
export type Fetching = { needs: Needs; fetched: AllFetched; store: Store }

/** Fetches a page of a list into the store. */
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

/** If the last item of a page does not come after the last item of the page before, throws: the list would be read for ever. */
export function expectProgress(order: number) {
  if (order >= 0) throw new Error('The server answered with the same page again.')
}

/** A list by its call, which each opening makes. Whether a failed one is tried again is the reader's choice. */
export const taskListOf = (fetching: Fetching, list: ListName) =>
  fetching.fetched.of<ListPage>(list, (after, signal) => fetchPage(fetching, list, after?.next, signal))

/** Asks for the open lists again, without the toasts of an opening. */
export async function reloadLists({ fetched }: Pick<Fetching, 'fetched'>, signal?: AbortSignal) {
  for (const list of listNames) await fetched.open(list)?.reload(signal)
}
