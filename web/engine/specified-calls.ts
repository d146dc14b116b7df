import { defaultsOf, labelledValues } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { type Entry, itemsOfEntry } from './entry.ts'
import { baseOf, hasValues, type Values } from './items.ts'
import type { AwaitedEntry } from './journal/entries.ts'
import type { Journal } from './journal/journal.ts'
import type { Needs } from './needs.ts'
import { confirmed, failureText, isGone, notAnswered } from './store/change-errors.ts'
import { seqOf } from './store/deltas.ts'
import { isTask } from './store/item-rules.ts'
import { completeTask, type SpecifiedTask } from './store/specified-task.ts'
import { type Fetching, reloadLists } from './store/task-lists.ts'
import { isUnanswered } from './sync/retry-delay.ts'
import { verbs } from './verbs/verbs.ts'

/** In milliseconds: how long an awaited entry waits for the earlier entries of its item, and keeps its card as it is. */
const longestWait = 20_000

type Parts = Fetching & { journal: Pick<Journal, 'answered' | 'awaited' | 'end' | 'entries' | 'subscribe'> }

/** Whether this version of the task shows the entry. What the server derives from it counts for nothing. */
function isMade({ verb, over, made }: AwaitedEntry, task: Task): boolean {
  const { doneAt, deletedAt } = made
  // Somebody else may have changed the other values before the deletion.
  const shown = verb === 'delete' ? { deletedAt } : { ...labelledValues(taskFields, made), doneAt, deletedAt }
  return task.version > (over?.version ?? 0) && hasValues(task, shown)
}

/**
 * Returns the function that sends an awaited entry. It waits for the earlier entries of the item, makes the specified call of the verb, and
 * shows the toasts. A failed entry is withdrawn. If its call got no answer, the log may show later that the server has it. `remember` gets
 * each entry that the server has, and the task as it was then.
 */
export function createSpecifiedCalls(parts: Parts, remember: (entry: AwaitedEntry, task: Task) => void) {
  const { needs, store, journal } = parts
  const { call } = needs
  const lost = () => journal.awaited().filter(({ isLost }) => isLost)
  const lostOf = ({ verb, item }: AwaitedEntry) =>
    lost().filter((entry) => entry.verb === verb && entry.item === item)

  store.subscribe((ids) => {
    for (const entry of lost()) if (ids.has(entry.item)) look(entry)
  })
  store.onReplaced(() => journal.end(lost()))

  function look(entry: AwaitedEntry) {
    const task = store.stored(entry.item)
    if (!task || !isTask(task)) return
    if (!isMade(entry, task)) {
      if (entry.isStored || entry.isRemembered) journal.end([entry])
    } else if (!entry.isRemembered) {
      entry.isRemembered = true
      // An unsent change of the task may be the same one, with a step of its own.
      journal
        .answered(entry.item)
        .then(() => remember(entry, task))
        .catch(console.error)
    }
  }

  /** The server has the entry, and the task is as its answer says, which may be that to an earlier call. */
  function confirm(entry: AwaitedEntry, task: Task) {
    const earlier = lostOf(entry)
    journal.end(earlier)
    if (earlier.every(({ isRemembered }) => isRemembered) || isMade(entry, task)) remember(entry, task)
  }

  const shows = (entry: AwaitedEntry, task: Task) => () => {
    confirm(entry, task)
    store.put({ tasks: [task] })
  }

  /** The calls, by verb. Each returns the function that shows the answer. */
  const calls: Record<AwaitedEntry['verb'], (entry: AwaitedEntry) => Promise<() => void>> = {
    async add(entry) {
      const { _id, ...values } = entry.made
      const task = storedIn((await postTask(needs, entry.mutation, values)).data, values)
      // If there is none, the added task is only known from its list, for which the caller does not wait.
      return task ? shows(entry, task) : () => void reloadLists(parts).catch(console.error)
    },

    async edit(entry) {
      const { item: id, over, made, before, after } = entry as typeof entry & { over: Task }
      const put = async (version: number) => {
        const headers = { 'if-match': `"${version}"` }
        const options = { params: { id }, headers, body: changedIn(made, over) }
        return confirmed(await call('PUT /list/updateTask/:id', options))
      }
      // An unconfirmed change may have been edited, which has a number now.
      const base = baseOf(store.stored(id), labelledValues(taskFields, over), over.version)
      const { data } = await put(base).catch((error) => {
        const newer = problemFrom(error)?.problem.current
        const isOwn = (lost: AwaitedEntry) => hasValues(newer, labelledValues(taskFields, lost.made))
        if (!newer || !lostOf(entry).some(isOwn)) throw error
        return put(newer.version)
      })
      const edited = { ...over, ...made }
      const task = storedIn(data, edited) ?? edited
      // Undo and Redo show too what the server has derived from a changed rule.
      const derivedOf = ({ repeatDay, series }: Task) => 'repeat' in after && { repeatDay, series }
      Object.assign(before, derivedOf(over))
      Object.assign(after, derivedOf(task))
      return shows(entry, task)
    },

    async delete(entry) {
      const { item: id, over, after } = entry
      try {
        const { cursor } = confirmed(await call('DELETE /list/deleteTask/:id', { params: { id } }))
        if (cursor === undefined) return () => store.remove([id])
        const task = (store.stored(id) ?? over) as Task
        return shows(entry, { ...task, ...after, version: seqOf(cursor) })
      } catch (error) {
        const earlier = lostOf(entry).filter(({ isStored }) => !isStored)
        if (!isGone(error) || earlier.length === 0) throw error
        // The call without an answer has deleted it. The next report of the item in the log says its version, or a later one.
        for (const lost of earlier) lost.isStored = true
        return () => store.remove([id])
      }
    },
  }

  return async (entry: AwaitedEntry) => {
    const { verb, item } = entry
    const { toasts } = verbs[verb].said
    // The card stays as it is, whatever the log reports, but shows the next change that is made here.
    const unpin = store.pin([item])
    const earlier = new Set(journal.entries().map(({ mutation }) => mutation))
    const isLater = (other: Entry) => !earlier.has(other.mutation) && itemsOfEntry(other).includes(item)
    const stop = journal.subscribe(() => journal.entries().some(isLater) && unpin())
    const tooLate = new Promise<never>((_, reject) =>
      setTimeout(() => {
        unpin()
        reject(notAnswered())
      }, longestWait),
    )
    let isSent = false
    try {
      await Promise.race([journal.answered(item), tooLate])
      isSent = true
      const show = await calls[verb](entry)
      if (toasts) needs.toasts.success(toasts.done)
      show()
      journal.end([entry])
      unpin()
    } catch (error) {
      console.error(error)
      if (isSent && isUnanswered(problemFrom(error)?.status ?? 200)) {
        entry.isLost = true
        look(entry)
      } else if (!entry.isLost) journal.end([entry])
      if (toasts) needs.toasts.error(toasts.explains ? failureText(toasts.failed, error) : toasts.failed)
      if (verb === 'edit' && isGone(error)) store.remove([item])
      // After the caller, which may keep the card to say there why the deletion failed.
      setTimeout(unpin)
      throw error
    } finally {
      stop()
    }
  }
}

/** Adds a task with these values. The server adds it once, however often it gets the same mutation. */
export const postTask = async ({ call }: Pick<Needs, 'call'>, mutation: string, values: Values) => {
  const headers = { 'idempotency-key': mutation }
  return confirmed(await call('POST /list/addTask', { headers, body: changedIn(values, unnamed) }))
}

/** The values of a new task in the fields that the specification does not name. */
const { body: _, ...unnamed } = defaultsOf(taskFields)

/** The values to send: in a field that the specification does not name only a changed one, as servers may not know it. */
const changedIn = (made: Values, before: Values) =>
  Object.fromEntries(
    Object.entries(labelledValues(taskFields, made)).filter(
      ([name, value]) => !(name in unnamed) || value !== before[name],
    ),
  ) as TaskValues

/** The task in the answer to a write. The specification names no field of such an answer, so there may be none. */
function storedIn({ task }: { task?: SpecifiedTask | null }, known: Partial<Task>): Task | undefined {
  const stored = typeof task === 'object' && task ? completeTask(task, known) : undefined
  return stored?._id ? stored : undefined
}
