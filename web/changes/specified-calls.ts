import { defaultsOf, draftOf } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { call, problemFrom } from '../api/client.ts'
import { confirmed, isGone, notAnswered } from '../store/change-errors.ts'
import { seqOf } from '../store/deltas.ts'
import { isTask } from '../store/item-rules.ts'
import { baseOf, type Entry, hasValues, itemsOfEntry, type Values } from '../store/pending-change.ts'
import { completeTask, type SpecifiedTask } from '../store/specified-task.ts'
import { type Fetching, reloadLists } from '../store/task-lists.ts'
import { isUnanswered } from '../sync/retry-delay.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import type { Journal } from './journal.ts'
import type { AwaitedEntry } from './journal-entries.ts'
import { sentencesOf } from './verbs.ts'

/** In milliseconds: how long an awaited entry waits for the earlier entries of its item, and keeps its card as it is. */
const longestWait = 20_000

type Parts = Fetching & { journal: Pick<Journal, 'answered' | 'awaited' | 'end' | 'entries' | 'subscribe'> }

/** Whether this version of the task shows the entry. What the server derives from it counts for nothing. */
function isMade({ verb, awaited: { over, made } }: AwaitedEntry, task: Task): boolean {
  const { doneAt, deletedAt } = made
  // Somebody else may have changed the other values before the deletion.
  const shown = verb === 'delete' ? { deletedAt } : { ...draftOf(taskFields, made), doneAt, deletedAt }
  return task.version > (over?.version ?? 0) && hasValues(task, shown)
}

/**
 * Returns the function that sends an awaited entry. It waits for the earlier entries of the item, makes the specified call of the verb, and
 * shows the toasts. A failed entry is withdrawn. If its call got no answer, the log may show later that the server has it. `remember` gets
 * each entry that the server has, and the task as it was then.
 */
export function createSpecifiedCalls(parts: Parts, remember: (entry: AwaitedEntry, task: Task) => void) {
  const { store, journal } = parts
  const lost = () => journal.awaited().filter(({ awaited }) => awaited.isLost)
  const lostOf = ({ verb, item }: AwaitedEntry) =>
    lost().filter((entry) => entry.verb === verb && entry.item === item)

  store.subscribe((ids) => {
    for (const entry of lost()) if (ids.has(entry.item)) look(entry)
  })
  store.onReplaced(() => journal.end(lost()))

  function look(entry: AwaitedEntry) {
    const [task, { item, awaited }] = [store.stored(entry.item), entry]
    if (!task || !isTask(task)) return
    if (!isMade(entry, task)) {
      if (awaited.isStored || awaited.isRemembered) journal.end([entry])
    } else if (!awaited.isRemembered) {
      awaited.isRemembered = true
      // An unsent change of the task may be the same one, with a step of its own.
      journal
        .answered(item)
        .then(() => remember(entry, task))
        .catch(console.error)
    }
  }

  /** Waits until the server has the earlier changes of the item. */
  async function earlierSent(item: string) {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(notAnswered()), longestWait)
    await Promise.race([journal.answered(item), promise]).finally(() => clearTimeout(timer))
  }

  /**
   * Keeps the card of the entry as it is, whatever the log reports: until the returned function is called, the item is changed again here, or
   * the call is without an answer for long, as it has no timeout.
   */
  function pinCard({ item, order }: AwaitedEntry): () => void {
    const unpin = store.pin([item])
    const isLater = (entry: Entry) => entry.order >= order && itemsOfEntry(entry).includes(item)
    const stop = journal.subscribe(() => journal.entries().some(isLater) && unpin())
    setTimeout(unpin, longestWait)
    return () => {
      stop()
      unpin()
    }
  }

  /** The server has the entry, and the task is as its answer says, which may be that to an earlier call. */
  function confirm(entry: AwaitedEntry, task: Task) {
    const earlier = lostOf(entry)
    journal.end(earlier)
    if (earlier.every(({ awaited }) => awaited.isRemembered) || isMade(entry, task)) remember(entry, task)
  }

  const shows = (entry: AwaitedEntry, task: Task) => () => {
    confirm(entry, task)
    store.put({ tasks: [task] })
  }

  /** The calls, by verb. Each returns the function that shows the answer. */
  const calls: Record<AwaitedEntry['verb'], (entry: AwaitedEntry) => Promise<() => void>> = {
    async add(entry) {
      const { _id, ...values } = entry.awaited.made
      const task = storedIn((await postTask(entry.mutation, values)).data, values)
      // If there is none, the added task is only known from its list, for which the caller does not wait.
      return task ? shows(entry, task) : () => void reloadLists(parts).catch(console.error)
    },

    async edit(entry) {
      const { item: id, awaited } = entry
      const { over, made, before, after } = awaited as typeof awaited & { over: Task }
      const put = async (version: number) => {
        const headers = { 'if-match': `"${version}"` }
        const options = { params: { id }, headers, body: changedIn(made, over) }
        return confirmed(await call('PUT /list/updateTask/:id', options))
      }
      const save = async () => {
        try {
          // An unconfirmed change may have been edited, which has a number now.
          return await put(baseOf(store.stored(id), draftOf(taskFields, over), over.version))
        } catch (error) {
          const newer = problemFrom(error)?.problem.current
          const isOwn = (sent: AwaitedEntry) => hasValues(newer, draftOf(taskFields, sent.awaited.made))
          if (!newer || !lostOf(entry).some(isOwn)) throw error
          return await put(newer.version)
        }
      }
      const edited = { ...over, ...made }
      const task = storedIn((await save()).data, edited) ?? edited
      // Undo and Redo show too what the server has derived from a changed rule.
      const derivedOf = ({ repeatDay, series }: Task) => 'repeat' in after && { repeatDay, series }
      Object.assign(before, derivedOf(over))
      Object.assign(after, derivedOf(task))
      return shows(entry, task)
    },

    async delete(entry) {
      const { item: id, awaited } = entry
      try {
        const { cursor } = confirmed(await call('DELETE /list/deleteTask/:id', { params: { id } }))
        if (cursor === undefined) return () => store.remove([id])
        const task = (store.stored(id) ?? awaited.over) as Task
        return shows(entry, { ...task, ...awaited.after, version: seqOf(cursor) })
      } catch (error) {
        const earlier = lostOf(entry).filter(({ awaited }) => !awaited.isStored)
        if (!isGone(error) || earlier.length === 0) throw error
        // The call without an answer has deleted it. The next report of the item in the log says its version, or a later one.
        for (const { awaited } of earlier) awaited.isStored = true
        return () => store.remove([id])
      }
    },
  }

  return async (entry: AwaitedEntry) => {
    const { verb, item, awaited } = entry
    const { toasts } = sentencesOf[verb]
    const unpin = pinCard(entry)
    let isSent = false
    try {
      await earlierSent(item)
      isSent = true
      const show = await calls[verb](entry)
      if (toasts) dashboardToast.success(toasts.done)
      show()
      journal.end([entry])
      unpin()
    } catch (error) {
      console.error(error)
      if (isSent && isUnanswered(problemFrom(error)?.status ?? 200)) {
        awaited.isLost = true
        look(entry)
      } else if (!awaited.isLost) journal.end([entry])
      if (toasts) dashboardToast.error(toasts.failed(error))
      if (verb === 'edit' && isGone(error)) store.remove([item])
      // After the caller, which may keep the card to say there why the deletion failed.
      setTimeout(unpin)
      throw error
    }
  }
}

/** Adds a task with these values. The server adds it once, however often it gets the same mutation. */
export const postTask = async (mutation: string, values: Values) => {
  const headers = { 'idempotency-key': mutation }
  return confirmed(await call('POST /list/addTask', { headers, body: changedIn(values, unnamed) }))
}

/** The values of a new task in the fields that the specification does not name. */
const { body: _, ...unnamed } = defaultsOf(taskFields)

/** The values to send: in a field that the specification does not name only a changed one, as servers may not know it. */
const changedIn = (made: Values, before: Values) =>
  Object.fromEntries(
    Object.entries(draftOf(taskFields, made)).filter(
      ([name, value]) => !(name in unnamed) || value !== before[name],
    ),
  ) as TaskDraft

/** The task in the answer to a write. The specification names no field of such an answer, so there may be none. */
function storedIn({ task }: { task?: SpecifiedTask | null }, known: Partial<Task>): Task | undefined {
  const stored = typeof task === 'object' && task ? completeTask(task, known) : undefined
  return stored?._id ? stored : undefined
}
