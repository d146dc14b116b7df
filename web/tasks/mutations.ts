import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { call, problemFrom } from '../api/client.ts'
import { journalOf } from '../changes/journal.ts'
import { endLost, followLost, isLost } from '../changes/lost-calls.ts'
import { remember } from '../changes/undo-history.ts'
import { confirmed, isGone } from '../store/change-errors.ts'
import { seqOf } from '../store/deltas.ts'
import { baseOf, differences, hasValues } from '../store/pending-change.ts'
import { completeTask, type SpecifiedTask } from '../store/specified-task.ts'
import { networkMode, reloadLists } from '../store/task-lists.ts'
import { storeOf } from '../store/use-store.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import { isEdited } from './form/task-merge.ts'
import { whilePinned } from './pinned.ts'
import { failureText } from './task-errors.ts'

/** `id`: the same for each attempt to add the task, so that the server does not add it twice if an answer is lost. */
type Addition = { draft: TaskDraft; id: string }

/** The task in the answer to a write. The specification names no field of such an answer, so there may be none. */
function storedIn({ task }: { task?: SpecifiedTask | null }, known: Partial<Task>): Task | undefined {
  const stored = typeof task === 'object' && task ? completeTask(task, known) : undefined
  return stored?._id ? stored : undefined
}

/** Adds a task and shows it in the lists. The caller reports the result. */
export function useAddTask() {
  const queryClient = useQueryClient()
  return useMutation({
    networkMode,
    mutationFn: async ({ draft: body, id }: Addition) =>
      confirmed(await call('POST /list/addTask', { headers: { 'idempotency-key': id }, body })),
    onSuccess({ data }, { draft, id }) {
      const task = storedIn(data, draft)
      // The added task is only known from its list then, for which the caller does not wait.
      if (!task) return void reloadLists(queryClient).catch(console.error)
      const wasLost = endLost(queryClient, 'add', id)
      if (!wasLost || isUnchanged(task, draft)) rememberAdded(queryClient, task)
      storeOf(queryClient).put({ tasks: [task] })
    },
    onError(error, { draft, id: item }) {
      console.error(error)
      followLost(queryClient, error, {
        verb: 'add',
        item,
        isMade: (task) => isUnchanged(task, draft),
        remember: (task) => rememberAdded(queryClient, task),
      })
    },
  })
}

const isUnchanged = (task: Task, draft: TaskDraft) =>
  hasValues(task, { ...draft, doneAt: null, deletedAt: null })

/** After the caller's alert: it stops the page, and the bar would be gone when the alert is closed. */
const rememberAdded = (queryClient: QueryClient, task: Task) =>
  void setTimeout(() =>
    remember(queryClient, 'add', task, { deletedAt: new Date().toISOString() }, { deletedAt: null }),
  )

/** Saves the values typed over the version `base`. Other fields that others have changed since stay as they are. */
export function useUpdateTask() {
  const queryClient = useQueryClient()
  const store = storeOf(queryClient)
  /** The values of the attempts that failed. The server may have stored them, and the answer was lost. */
  const attempted = useRef<TaskDraft[]>([])
  return useMutation({
    networkMode,
    async mutationFn({ base, values }: { base: Task; values: TaskDraft }) {
      const { _id: id } = base
      await journalOf(queryClient).answered(id)
      const put = async (version: number) => {
        const headers = { 'if-match': `"${version}"` }
        return confirmed(await call('PUT /list/updateTask/:id', { params: { id }, headers, body: values }))
      }
      try {
        // An unconfirmed change may have been edited, which has a number now.
        return await put(baseOf(store.stored(id), valuesIn(base, values), base.version))
      } catch (error) {
        const newer = problemFrom(error)?.problem.current
        const isOwn = newer && attempted.current.some((own) => hasValues(newer, own))
        attempted.current.push(values)
        if (!isOwn) throw error
        return await put(newer.version)
      }
    },
    onSuccess({ data }, { base, values }) {
      dashboardToast.success('Task updated successfully!')
      const task = storedIn(data, { ...base, ...values }) ?? { ...base, ...values }
      const wasLost = endLost(queryClient, 'edit', base._id)
      if (!wasLost || isEditOf(base, values, task)) rememberEdited(queryClient, base, values, task)
      store.put({ tasks: [task] })
    },
    onError(error, { base, values }) {
      console.error(error)
      dashboardToast.error(failureText('Failed to update task. Please try again.', error))
      if (isGone(error)) store.remove([base._id])
      followLost(queryClient, error, {
        verb: 'edit',
        item: base._id,
        isMade: (task) => isEditOf(base, values, task),
        remember: (task) => rememberEdited(queryClient, base, values, task),
      })
    },
  })
}

/** Whether the task is as this edit makes it: its number is not that of a later change of others. */
const isEditOf = (base: Task, values: TaskDraft, task: Task) =>
  task.version > base.version && hasValues({ ...task, version: base.version }, { ...base, ...values })

function rememberEdited(queryClient: QueryClient, base: Task, values: TaskDraft, task: Task) {
  const edited = { ...base, ...values }
  if (task.version > base.version && isEdited(base, values))
    remember(queryClient, 'edit', task, differences(base, edited), differences(edited, base))
}

/** Deletes a task, which leaves the lists when the server has deleted it. */
export function useDeleteTask({ _id: id, title }: Task) {
  const queryClient = useQueryClient()
  const store = storeOf(queryClient)
  function rememberDeleted(version: number) {
    const deletedAt = new Date().toISOString()
    remember(queryClient, 'delete', { _id: id, version, title }, { deletedAt: null }, { deletedAt })
  }
  return useMutation({
    networkMode,
    mutationFn: () =>
      whilePinned(store, id, async () => {
        await journalOf(queryClient).answered(id)
        const wasLost = isLost(queryClient, 'delete', id)
        try {
          return confirmed(await call('DELETE /list/deleteTask/:id', { params: { id } }))
        } catch (error) {
          // The call without an answer has deleted it.
          if (wasLost && isGone(error)) return {}
          throw error
        }
      }),
    onSuccess({ cursor }: { cursor?: string | undefined }) {
      dashboardToast.success('Task deleted successfully')
      if (cursor === undefined) return store.remove([id])
      const version = seqOf(cursor)
      endLost(queryClient, 'delete', id)
      rememberDeleted(version)
      store.markDeleted(id, version)
    },
    onError(error) {
      console.error(error)
      dashboardToast.error('Failed to delete task')
      followLost(queryClient, error, {
        verb: 'delete',
        item: id,
        isMade: ({ deletedAt }) => deletedAt !== null,
        remember: ({ version }) => rememberDeleted(version),
      })
    },
  })
}

/** The values of the fields that are edited. */
const valuesIn = (base: Task, values: TaskDraft) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, base[name as keyof TaskDraft]]))
