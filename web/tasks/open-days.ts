import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Task } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { perCache } from '../sync/per-cache.ts'
import { isOfPanel, networkMode } from './queries.ts'

const allOpenDays = { queryKey: ['open days'] }

/** The number of open tasks by the day on which they are due. */
type OpenDays = Record<string, number>

const openDaysQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...allOpenDays.queryKey, from, to],
    async queryFn({ signal }): Promise<OpenDays> {
      const { data } = await call('GET /tasks/openDays', { query: { from, to }, signal })
      return Object.fromEntries(data.days.map(({ day, tasks }) => [day, tasks]))
    },
    // The days of a range stay until a change concerns them.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: 'always',
    retry: false,
    networkMode,
  })

/** The days of a range with open tasks. They are asked for once the panel has its list. */
export function useOpenDays(from: string, to: string): ReadonlySet<string> {
  const queryClient = useQueryClient()
  const cache = queryClient.getQueryCache()
  const hasList = useSyncExternalStore(
    (look) => cache.subscribe(look),
    () => cache.getAll().some((query) => isOfPanel(query) && query.state.status !== 'pending'),
    () => false,
  )
  const { data = {} } = useQuery({
    ...openDaysQuery(from, to),
    enabled: hasList,
    placeholderData: (previous: OpenDays | undefined) => previous,
  })
  return new Set(Object.keys(data).filter((day) => (data[day] ?? 0) > 0))
}

/** The tasks of which this tab knows that they were not open before its next change: new, completed or deleted ones. */
const absentIn = perCache((_: QueryClient) => new Set<string>())

/** The task was not open until now. */
export const noteAbsent = (queryClient: QueryClient, id: string) => absentIn(queryClient).add(id)

/** Asks for the days again: other devices have changed these tasks, or an unknown number of tasks. */
export function reloadOpenDays(queryClient: QueryClient, changed: Task[] = []) {
  for (const { _id } of changed) absentIn(queryClient).delete(_id)
  queryClient.invalidateQueries(allOpenDays)
}

/**
 * Counts the tab's own changes without a call: `held` are the tasks as they were. If it does not know what a task was, or
 * an answer is on its way, it asks for the days again.
 */
export function countOpenDays(
  queryClient: QueryClient,
  held: Map<string, Task>,
  stored: Task[],
  deleted: string[] = [],
) {
  const absent = absentIn(queryClient)
  const after = new Map(stored.map((task) => [task._id, openDayOf(task)]))
  let isKnown = queryClient.isFetching(allOpenDays) === 0
  for (const id of [...after.keys(), ...deleted]) {
    const before = held.get(id)
    if (!before && !absent.has(id)) isKnown = false
    const [from, to] = [before && openDayOf(before), after.get(id)]
    if (to === undefined) absent.add(id)
    else absent.delete(id)
    queryClient.setQueriesData<OpenDays>(allOpenDays, (days) =>
      days && from !== to ? withMove(days, from, to) : days,
    )
  }
  if (!isKnown) queryClient.invalidateQueries(allOpenDays)
}

const openDayOf = ({ doneAt, deletedAt, dueDate }: Task) =>
  doneAt === null && deletedAt === null ? dueDate : undefined

function withMove(days: OpenDays, from: string | undefined, to: string | undefined): OpenDays {
  return {
    ...days,
    ...(from !== undefined && { [from]: (days[from] ?? 0) - 1 }),
    ...(to !== undefined && { [to]: (days[to] ?? 0) + 1 }),
  }
}
