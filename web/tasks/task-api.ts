import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { type TaskListName, taskLists } from './task-lists.ts'

export const taskListQuery = (list: TaskListName) =>
  infiniteQueryOptions({
    queryKey: ['tasks', list],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { data } = await call(taskLists[list].endpoint, { query: cursor ? { cursor } : {}, signal })
      return data
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // A failure is said at once, offline too; trying again is the reader's to choose.
    retry: false,
    networkMode: 'always',
  })

/** Success is status 200, no other (specification section 7), and answers the task as it is stored. */
type Saved = { saved: boolean; task?: Task }

export async function addTask(body: TaskDraft): Promise<Saved> {
  const { status, data } = await call('POST /list/addTask', { body })
  return { saved: status === 200, task: data.task }
}

export async function updateTask(id: string, body: TaskDraft): Promise<Saved> {
  const { status, data } = await call('PUT /list/updateTask/:id', { params: { id }, body })
  return { saved: status === 200, task: data.task }
}

export async function deleteTask(id: string): Promise<{ deleted: boolean }> {
  const { status } = await call('DELETE /list/deleteTask/:id', { params: { id } })
  return { deleted: status === 200 }
}
