import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { call, problemFrom } from '../api/client.ts'
import { confirmed, failureText, isGone, notAnswered } from '../store/change-errors.ts'
import { seqOf } from '../store/deltas.ts'
import { baseOf, differences, hasValues } from '../store/pending-change.ts'
import { completeTask, type SpecifiedTask } from '../store/specified-task.ts'
import { reloadLists } from '../store/task-lists.ts'
import { storeOf } from '../store/use-store.ts'
import { perCache } from '../sync/per-cache.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import { changesOf } from './changes.ts'
import { createLostCalls } from './lost-calls.ts'
import { journalOf } from './page-journal.ts'
import { remember } from './undo-history.ts'

/** In milliseconds: how long a call waits for the earlier changes of its task. */
const longestWait = 20_000

/**
 * The specified calls that add, edit and delete a task. They are awaited: the change is shown and can be undone once the server has
 * confirmed it, and a failure is told where it was pressed.
 */
function createSpecifiedCalls(queryClient: QueryClient) {
  const [store, journal] = [storeOf(queryClient), journalOf(queryClient)]
  const lost = createLostCalls(store, journal)
  const awaited = new Set<Promise<unknown>>()
  /** The values of the edits that failed, by task. The server may have stored them, and the answer was lost. */
  const attempted = new Map<string, TaskDraft[]>()
  let count = 0

  function awaiting<Result>(work: () => Promise<Result>): Promise<Result> {
    count++
    const result = work()
    awaited.add(result)
    const end = () => awaited.delete(result)
    result.then(end, end)
    return result
  }

  /** Waits until the server has the earlier changes of the task. */
  async function earlierSent(id: string) {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(notAnswered()), longestWait)
    await Promise.race([journal.answered(id), promise]).finally(() => clearTimeout(timer))
  }

  return {
    awaiting,
    /** How many calls were made so far. */
    count: () => count,
    isAwaited: () => awaited.size > 0,
    /** Waits for the calls that are awaited now. */
    settled: () => Promise.allSettled(awaited),

    /**
     * Adds a task and shows it in the lists. `id`: the same for each attempt to add it, so that the server does not add it twice if an
     * answer is lost. The caller tells the result.
     */
    add: (draft: TaskDraft, id: string) =>
      awaiting(async () => {
        const isMade = (task: Task) => hasValues(task, { ...draft, doneAt: null, deletedAt: null })
        const [before, after] = [{ deletedAt: new Date().toISOString() }, { deletedAt: null }]
        // After the caller's alert: it stops the page, and the bar would be gone when the alert is closed.
        const rememberIt = (task: Task) =>
          void setTimeout(() => remember(queryClient, 'add', task, before, after))
        const headers = { 'idempotency-key': id }
        const { data } = await lost.follow(
          { verb: 'add', item: id, isMade, remember: rememberIt },
          async () => confirmed(await call('POST /list/addTask', { headers, body: draft })),
        )
        const task = storedIn(data, draft)
        // The added task is only known from its list then, for which the caller does not wait.
        if (!task) return void reloadLists(queryClient).catch(console.error)
        if (!lost.end('add', id) || isMade(task)) rememberIt(task)
        store.put({ tasks: [task] })
      }),

    /** Saves the values typed over the version `base`. Other fields that others have changed since stay as they are. */
    edit: (base: Task, values: TaskDraft) =>
      awaiting(async () => {
        const { _id: id, version } = base
        const edited = { ...base, ...values }
        const [before, after] = [differences(base, edited), differences(edited, base)]
        // The number of another task is that of a later change of others.
        const isMade = (task: Task) => task.version > version && hasValues({ ...task, version }, edited)
        const rememberIt = (task: Task) => {
          if (task.version > version && Object.keys(after).length > 0)
            remember(queryClient, 'edit', task, before, after)
        }
        const put = async (newest: number) => {
          const headers = { 'if-match': `"${newest}"` }
          return confirmed(await call('PUT /list/updateTask/:id', { params: { id }, headers, body: values }))
        }
        const save = async () => {
          await earlierSent(id)
          try {
            // An unconfirmed change may have been edited, which has a number now.
            return await put(baseOf(store.stored(id), valuesIn(base, values), version))
          } catch (error) {
            const newer = problemFrom(error)?.problem.current
            const own = attempted.get(id) ?? []
            attempted.set(id, [...own, values])
            if (!newer || !own.some((values) => hasValues(newer, values))) throw error
            return await put(newer.version)
          }
        }
        try {
          const { data } = await lost.follow({ verb: 'edit', item: id, isMade, remember: rememberIt }, save)
          attempted.delete(id)
          dashboardToast.success('Task updated successfully!')
          const task = storedIn(data, edited) ?? edited
          if (!lost.end('edit', id) || isMade(task)) rememberIt(task)
          store.put({ tasks: [task] })
        } catch (error) {
          dashboardToast.error(failureText('Failed to update task. Please try again.', error))
          if (isGone(error)) store.remove([id])
          throw error
        }
      }),

    /** Deletes a task, which leaves the lists when the server has deleted it. A failure is told at its card. */
    delete: ({ _id: id, title }: Task) =>
      awaiting(async () => {
        const { explain, forget } = changesOf(queryClient)
        forget([id])
        // The stream may report the deletion before the answer.
        const unpin = store.pin([id])
        const rememberIt = ({ version }: Pick<Task, 'version'>) =>
          remember(
            queryClient,
            'delete',
            { _id: id, version, title },
            { deletedAt: null },
            { deletedAt: new Date().toISOString() },
          )
        const isMade = ({ deletedAt }: Task) => deletedAt !== null
        try {
          const { cursor } = await lost.follow(
            { verb: 'delete', item: id, isMade, remember: rememberIt },
            async (): Promise<{ cursor?: string | undefined }> => {
              await earlierSent(id)
              const wasLost = lost.has('delete', id)
              try {
                return confirmed(await call('DELETE /list/deleteTask/:id', { params: { id } }))
              } catch (error) {
                // The call without an answer has deleted it.
                if (wasLost && isGone(error)) return {}
                throw error
              }
            },
          )
          dashboardToast.success('Task deleted successfully')
          if (cursor === undefined) return store.remove([id])
          const version = seqOf(cursor)
          lost.end('delete', id)
          rememberIt({ version })
          store.markDeleted(id, version)
        } catch (error) {
          console.error(error)
          dashboardToast.error('Failed to delete task')
          explain(id, 'delete', error as Error)
        } finally {
          unpin()
        }
      }),
  }
}

/** The task in the answer to a write. The specification names no field of such an answer, so there may be none. */
function storedIn({ task }: { task?: SpecifiedTask | null }, known: Partial<Task>): Task | undefined {
  const stored = typeof task === 'object' && task ? completeTask(task, known) : undefined
  return stored?._id ? stored : undefined
}

/** The values of the fields that are edited. */
const valuesIn = (base: Task, values: TaskDraft) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, base[name as keyof TaskDraft]]))

export const specifiedCallsOf = perCache(createSpecifiedCalls)
export const useSpecifiedCalls = () => specifiedCallsOf(useQueryClient())
