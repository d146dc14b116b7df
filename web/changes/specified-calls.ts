import { defaultsOf } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { call, problemFrom } from '../api/client.ts'
import { confirmed, failureText, isGone } from '../store/change-errors.ts'
import { seqOf } from '../store/deltas.ts'
import { baseOf, differences, hasValues, type Values, type Verb } from '../store/pending-change.ts'
import { completeTask, type SpecifiedTask } from '../store/specified-task.ts'
import { type Fetching, reloadLists } from '../store/task-lists.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import { type AwaitedEntry, createAwaitedEntries } from './awaited-entries.ts'
import type { Changes } from './changes.ts'
import type { Journal } from './journal.ts'
import { type HistoryStore, remember } from './undo-history.ts'

type Parts = Fetching & { journal: Journal; history: HistoryStore; changes: Changes }

/**
 * The specified calls that add, edit and delete a task. They send awaited entries: the change is shown and can be undone once the server
 * has confirmed it, and a failure is told where it was pressed.
 */
export function createSpecifiedCalls(parts: Parts) {
  const { store, journal, history, changes } = parts
  const awaited = createAwaitedEntries(store, journal, ({ verb, version, before, after }, task) => {
    if (task.version <= version || Object.keys(after).length === 0) return
    const rememberIt = () => remember(history, verb, task, before, after)
    // After the caller's alert: it stops the page, and the bar would be gone when the alert is closed.
    if (verb === 'add') setTimeout(rememberIt)
    else rememberIt()
  })
  const { isAwaited, settled } = awaited

  /** Makes a change by calls. Undo waits for them. */
  function awaiting<Result>(work: () => Promise<Result>): Promise<Result> {
    changes.begun.tell()
    return awaited.awaiting(work)
  }

  return {
    ...{ awaiting, isAwaited, settled },

    /**
     * Adds a task and shows it in the lists. `id`: the same for each attempt to add it, so that the server does not add it twice if an
     * answer is lost. The caller tells the result.
     */
    add: (draft: TaskDraft, id: string) =>
      awaiting(async () => {
        const [before, after] = [{ deletedAt: new Date().toISOString() }, { deletedAt: null }]
        const entry = entryOf('add', { _id: id, version: 0 }, before, after, {
          ...draft,
          doneAt: null,
          ...after,
        })
        const headers = { 'idempotency-key': id }
        const { data } = await awaited.send(entry, async () =>
          confirmed(await call('POST /list/addTask', { headers, body: changedIn(draft, unnamed) })),
        )
        const task = storedIn(data, draft)
        // The added task is only known from its list then, for which the caller does not wait.
        if (!task) return void reloadLists(parts).catch(console.error)
        awaited.confirm(entry, task)
        store.put({ tasks: [task] })
      }),

    /** Saves the values typed over the version `base`. Other fields that others have changed since stay as they are. */
    edit: (base: Task, values: TaskDraft) =>
      awaiting(async () => {
        const { _id: id, version } = base
        changes.forget([id])
        const edited = { ...base, ...values }
        const { version: _, ...made } = edited
        const entry = entryOf('edit', edited, differences(base, edited), differences(edited, base), made)
        const put = async (newest: number) => {
          const headers = { 'if-match': `"${newest}"` }
          return confirmed(
            await call('PUT /list/updateTask/:id', {
              params: { id },
              headers,
              body: changedIn(values, base),
            }),
          )
        }
        const save = async () => {
          try {
            // An unconfirmed change may have been edited, which has a number now.
            return await put(baseOf(store.stored(id), valuesIn(base, values), version))
          } catch (error) {
            const newer = problemFrom(error)?.problem.current
            const isOwn = (sent: AwaitedEntry) => hasValues(newer, valuesIn(sent.made, values))
            if (!newer || !awaited.lostOf(entry).some(isOwn)) throw error
            return await put(newer.version)
          }
        }
        try {
          const { data } = await awaited.send(entry, save)
          dashboardToast.success('Task updated successfully!')
          const task = storedIn(data, edited) ?? edited
          awaited.confirm(withDerived(entry, base, task), task)
          store.put({ tasks: [task] })
        } catch (error) {
          dashboardToast.error(failureText('Failed to update task. Please try again.', error))
          if (isGone(error)) store.remove([id])
          throw error
        }
      }),

    /** Deletes a task, which leaves the lists when the server has deleted it. A failure is told at its card. */
    delete: (task: Task) =>
      awaiting(async () => {
        const { _id: id } = task
        const { explain, forget } = changes
        forget([id])
        // The stream may report the deletion before the answer.
        const unpin = store.pin([id])
        const entry = entryOf('delete', task, { deletedAt: null }, { deletedAt: new Date().toISOString() })
        const remove = async (): Promise<{ cursor?: string | undefined }> => {
          try {
            return confirmed(await call('DELETE /list/deleteTask/:id', { params: { id } }))
          } catch (error) {
            if (!isGone(error) || awaited.lostOf(entry).length === 0) throw error
            // The call without an answer has deleted it.
            awaited.markStored(entry)
            return {}
          }
        }
        try {
          const { cursor } = await awaited.send(entry, remove)
          dashboardToast.success('Task deleted successfully')
          if (cursor === undefined) return store.remove([id])
          const deleted = { ...task, ...entry.after, version: seqOf(cursor) }
          awaited.confirm(entry, deleted)
          store.markDeleted(id, deleted.version)
        } catch (error) {
          console.error(error)
          dashboardToast.error('Failed to delete task')
          explain({ item: id, verb: 'delete' }, error as Error)
        } finally {
          unpin()
        }
      }),
  }
}

function entryOf(
  verb: Verb,
  { _id: item, version }: Pick<Task, '_id' | 'version'>,
  before: Values,
  after: Values,
  made = after,
): AwaitedEntry {
  return { verb, item, version, made, before, after }
}

/** The entry of an edit, with the values that the server has derived from a changed rule: Undo and Redo show them too. */
function withDerived(entry: AwaitedEntry, before: Task, after: Task): AwaitedEntry {
  if (!('repeat' in entry.after)) return entry
  const derivedOf = ({ repeatDay, series }: Task) => ({ repeatDay, series })
  return {
    ...entry,
    before: { ...entry.before, ...derivedOf(before) },
    after: { ...entry.after, ...derivedOf(after) },
  }
}

/** The values of a new task in the fields that the specification does not name. */
const { body: _, ...unnamed } = defaultsOf(taskFields)

/** The values to send: in a field that the specification does not name only a changed one, as servers may not know it. */
const changedIn = (values: TaskDraft, before: Values) =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !(name in unnamed) || value !== before[name]),
  ) as TaskDraft

/** The task in the answer to a write. The specification names no field of such an answer, so there may be none. */
function storedIn({ task }: { task?: SpecifiedTask | null }, known: Partial<Task>): Task | undefined {
  const stored = typeof task === 'object' && task ? completeTask(task, known) : undefined
  return stored?._id ? stored : undefined
}

/** The values of the fields that are edited. */
const valuesIn = (item: Values, values: TaskDraft): Values =>
  Object.fromEntries(Object.keys(values).map((name) => [name, item[name]]))

export type SpecifiedCalls = ReturnType<typeof createSpecifiedCalls>
