import { compareInList, type ListName, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { createListeners } from '../../api/listeners.ts'
import type { Item } from '../entry.ts'
import * as items from './known-items.ts'
import { createShownItems } from './shown-items.ts'

/** A page of a list with its tasks, and the last task of the page before it. If more tasks follow, also its own last task. */
type Page = { tasks: readonly Task[]; after: Task | undefined; end: Task | undefined }

export type Store = ReturnType<typeof createStore>

/** The tasks and notes of the account that the page knows, and everything that is shown of them, derived. */
export function createStore() {
  const known = items.createKnownItems()
  const stored = (id: string) => items.newestOf(known, id)
  const { show, tell, ...shown } = createShownItems(stored)
  const replaced = createListeners()
  let isComplete = false
  let hasFirst = false

  const put = (answer: items.Answer) => show(items.takeAnswer(known, answer))

  return {
    ...shown,
    stored,
    replica: known.replica as ReadonlyMap<string, Item>,
    gone: known.gone as ReadonlyMap<string, number>,
    /** A note with its text, as it was last fetched or written. */
    text: (id: string) => known.texts.get(id),

    put,
    /** Shows a task that the server is expected to have made by the change with this number, until the task is known. */
    expect: (task: Task, madeBy: number) => show(items.takeExpected(known, task, madeBy)),
    follow: (part: items.LogPart, seq: number) => show(items.takeLog(known, part, seq)),
    /** The log was followed to its end. `seq` is the number of its last change. */
    reach(seq: number) {
      known.passed = Math.max(known.passed, seq)
    },
    /** Replaces all items, after the server has lost what it had: the restore of a backup. */
    replace(all: NonNullable<items.LogPart['items']>) {
      replaced.tell()
      show(items.replaceAll(known, all))
    },
    /** Calls the listener before all items are replaced. Returns the function that stops it. */
    onReplaced: replaced.subscribe,
    remove: (ids: Iterable<string>) => show(items.removeItems(known, ids)),

    /** Removes tasks that are missing in a page of the list: its server has no log that would report their removal. */
    removeAbsent(list: ListName, today: string, { tasks, after, end }: Page) {
      const isInOrder = (one: Task, other: Task) => compareInList(lists[list], one, other) <= 0
      const ids = new Set(tasks.map(({ _id }) => _id))
      const absent = shown
        .list(list, today)
        .filter(
          (task) =>
            !ids.has(task._id) && !(after && isInOrder(task, after)) && (!end || isInOrder(task, end)),
        )
      for (const { _id } of absent) known.ahead.delete(_id)
      show(new Set(absent.map(({ _id }) => _id)))
    },

    /** Whether the log has confirmed all answers. */
    get isConfirmed() {
      return known.ahead.size === 0
    },

    /** The time, which `settle` takes. Later answers are newer than it. */
    time: () => known.now++,

    /**
     * The log was read to its end after this time. Answers from before that it does not confirm are lost. Returns whether all others are
     * confirmed.
     */
    settle(time: number): boolean {
      show(items.forgetLost(known, time))
      return known.ahead.size === 0
    },

    /** Whether the first page of every list is held. */
    get hasFirst() {
      return hasFirst
    },
    /** Whether all items of the account are held. */
    get isComplete() {
      return isComplete
    },
    /** All items are held, or the first page of every list. */
    complete(isAll = true) {
      if (isComplete) return
      hasFirst = true
      isComplete = isAll
      tell(new Set())
    },
  }
}
