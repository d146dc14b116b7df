import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TaskDraft } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { followerOf } from '../sync/followers.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import { showDeleted, showStored } from './task-cache.ts'

/** The server answered with another status than 200, the only one that is a success (specification section 7). */
class NotConfirmedError extends Error {
  override message = 'The server did not confirm it.'
}

function confirmed<Data>({ status, data }: { status: number; data: Data }): Data {
  if (status !== 200) throw new NotConfirmedError()
  return data
}

/** The text of a failure, followed by the error message when an exception occurred (specification section 8). */
export const failureText = (text: string, error: unknown): string =>
  error instanceof NotConfirmedError ? text : `${text} ${(error as Error).message}`

// Offline too, a failure is reported at once: nothing waits to be sent later.
const networkMode = 'always'

/** Adds a task and shows it in the lists. What is said about it is up to the caller. */
export function useAddTask() {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)
  return useMutation({
    networkMode,
    mutationFn: async (body: TaskDraft) => confirmed(await write(() => call('POST /list/addTask', { body }))),
    onSuccess: ({ task }) => showStored(queryClient, task),
    onError: console.error,
  })
}

export function useUpdateTask(id: string) {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)
  return useMutation({
    networkMode,
    mutationFn: async (body: TaskDraft) =>
      confirmed(await write(() => call('PUT /list/updateTask/:id', { params: { id }, body }))),
    onSuccess({ task }) {
      dashboardToast.success('Task updated successfully!')
      return showStored(queryClient, task)
    },
    onError(error) {
      console.error(error)
      dashboardToast.error(failureText('Failed to update task. Please try again.', error))
    },
  })
}

export function useDeleteTask(id: string) {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)
  return useMutation({
    networkMode,
    mutationFn: async () =>
      confirmed(await write(() => call('DELETE /list/deleteTask/:id', { params: { id } }))),
    onSuccess() {
      dashboardToast.success('Task deleted successfully')
      return showDeleted(queryClient, id)
    },
    onError(error) {
      console.error(error)
      dashboardToast.error('Failed to delete task')
    },
  })
}
