import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { seqOf } from '../sync/change-follower.ts'
import { followerOf } from '../sync/followers.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import { isEdited } from './form/task-merge.ts'
import { noteAbsent } from './open-days.ts'
import { networkMode } from './queries.ts'
import { sendChange } from './send-change.ts'
import { showDeleted, showStored } from './task-cache.ts'
import { confirmed, failureText, isGone } from './task-errors.ts'
import { remember } from './undo/undo-history.ts'

/** `id`: the same for each attempt to add the task, so that the server does not add it twice if an answer is lost. */
export type Addition = { draft: TaskDraft; id: string }

/** Adds a task and shows it in the lists. What is said about it is up to the caller. */
export function useAddTask() {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)
  return useMutation({
    networkMode,
    mutationFn: async ({ draft: body, id }: Addition) =>
      confirmed(await write(() => call('POST /list/addTask', { headers: { 'idempotency-key': id }, body }))),
    async onSuccess({ data: { task } }) {
      if (task) noteAbsent(queryClient, task._id)
      await showStored(queryClient, task)
      // After the alert of the caller, which stops the page: the bar would be gone when it is closed.
      if (task) setTimeout(() => remember(queryClient, 'Added', task))
    },
    onError: console.error,
  })
}

/** Saves what was typed over the version `base`. What others have changed since in other fields stays as it is. */
export function useUpdateTask() {
  const queryClient = useQueryClient()
  const follower = followerOf(queryClient)
  return useMutation({
    networkMode,
    mutationFn: async ({ base: { _id: id, version }, values }: { base: Task; values: TaskDraft }) => {
      const headers = { 'if-match': `"${version}"` }
      return confirmed(
        await follower.writeItem(
          () => call('PUT /list/updateTask/:id', { params: { id }, headers, body: values }),
          ({ data }) => data.task,
        ),
      )
    },
    onSuccess({ data: { task } }, { base, values }) {
      dashboardToast.success('Task updated successfully!')
      if (task && task.version > base.version && isEdited(base, values))
        remember(queryClient, 'Changed', task)
      return showStored(queryClient, task)
    },
    onError(error, { base }) {
      console.error(error)
      dashboardToast.error(failureText('Failed to update task. Please try again.', error))
      if (isGone(error)) return showDeleted(queryClient, [base._id])
    },
  })
}

/** Deletes a task. Calls `beforeRemoval` when the server has deleted it, before it leaves the lists. */
export function useDeleteTask({ _id: id, title }: Task) {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)
  return useMutation({
    networkMode,
    mutationFn: async (_beforeRemoval: () => void) =>
      confirmed(await write(() => call('DELETE /list/deleteTask/:id', { params: { id } }))),
    onSuccess({ cursor }, beforeRemoval) {
      beforeRemoval()
      dashboardToast.success('Task deleted successfully')
      const version = cursor === undefined ? undefined : seqOf(cursor)
      if (version !== undefined) remember(queryClient, 'Deleted', { version, title })
      return showDeleted(queryClient, [id], version)
    },
    onError(error) {
      console.error(error)
      dashboardToast.error('Failed to delete task')
    },
  })
}

/** In milliseconds: how long a ticked card stays as it is, so that the tick is seen. */
const restTime = 300

/** Completes a task or brings it back. Awaits `beforeRemoval` when the server has done so, before the lists show it. */
export function useSetDone({ _id: item, version }: Task) {
  const queryClient = useQueryClient()
  return useMutation({
    networkMode,
    async mutationFn({ done }: { done: boolean; beforeRemoval: () => Promise<void> }) {
      const [{ task }] = await Promise.all([
        sendChange(queryClient, { item, set: { done } }),
        new Promise((rested) => setTimeout(rested, restTime)),
      ])
      return task
    },
    async onSuccess(task, { done, beforeRemoval }) {
      if (task.version > version) remember(queryClient, done ? 'Completed' : 'Reopened', task)
      await beforeRemoval()
      return showStored(queryClient, task)
    },
    onError: console.error,
  })
}
