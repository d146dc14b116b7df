import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Task, TaskPage } from '#contract/tasks.ts'
import { todayHere } from '../ui/civil-day.ts'
import { taskListQuery } from './task-api.ts'
import { type TaskListName, taskListNames, without, withStored } from './task-lists.ts'

/** Shows a stored task in every list that is held, without a reload. */
export const showStored = (queryClient: QueryClient, stored: Task | undefined) =>
  stored &&
  changeLists(queryClient, (list, tasks, hasMore) =>
    withStored(list, tasks, stored, { today: todayHere(), hasMore }),
  )

/** Takes a deleted task out of every list that is held. */
export const showDeleted = (queryClient: QueryClient, id: string) =>
  changeLists(queryClient, (_list, tasks) => without(tasks, id))

async function changeLists(
  queryClient: QueryClient,
  change: (list: TaskListName, tasks: Task[], hasMore: boolean) => Task[],
) {
  // An answer that is on its way was read before the change and would undo it; the open list asks again.
  await queryClient.cancelQueries({ queryKey: ['tasks'] })
  for (const list of taskListNames) {
    queryClient.setQueryData(
      taskListQuery(list).queryKey,
      (held) => held && inOnePage(held, (tasks, hasMore) => change(list, tasks, hasMore)),
    )
  }
}

function inOnePage(
  { pages }: InfiniteData<TaskPage>,
  change: (tasks: Task[], hasMore: boolean) => Task[],
): InfiniteData<TaskPage> {
  const nextCursor = pages.at(-1)?.nextCursor
  const lists = change(
    pages.flatMap((page) => page.lists),
    nextCursor !== undefined,
  )
  return { pages: [{ lists, ...(nextCursor !== undefined && { nextCursor }) }], pageParams: [''] }
}
