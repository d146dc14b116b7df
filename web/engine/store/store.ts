import { compareInList, type ListName, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { createListeners } from '../../api/listeners.ts'
import type { Item } from '../entry.ts'
import * as items from './known-items.ts'
import { createShownItems } from './shown-items.ts'

/** A page of a list. `after`: the last task of the page before. `end`: its own last task, if more tasks follow. */
type Page = { tasks: readonly Task[]; after: Task | undefined; end: Task | undefined }

export type Store = ReturnType<typeof createStore>

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
    text: (id: string) => known.texts.get(id),

    put,
    /** Shows a task that this change causes the server to make, until the task is known. */
    expect: (task: Task, causedBy: number) => show(items.takeExpected(known, task, causedBy)),
    follow: (part: items.LogPart, seq: number) => show(items.takeLog(known, part, seq)),
    /** The log was read to its end, which is the change `seq`. */
    reach(seq: number) {
      known.passed = Math.max(known.passed, seq)
    },
    replace(all: NonNullable<items.LogPart['items']>) {
      replaced.tell()
      show(items.replaceAll(known, all))
    },
    onReplaced: replaced.subscribe,
    remove: (ids: Iterable<string>) => show(items.removeItems(known, ids)),

    /** Removes tasks that are missing in a page of the list. Its server has no log that would report their removal. */
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

    get isConfirmed() {
      return known.ahead.size === 0
    },

    /** A logical time for `settle`. Later answers are newer. */
    time: () => known.now++,

    /** The log was read to its end after this time. Removes earlier unconfirmed answers. Returns whether all are confirmed. */
    settle(time: number): boolean {
      show(items.forgetLost(known, time))
      return known.ahead.size === 0
    },

    get hasFirst() {
      return hasFirst
    },
    get isComplete() {
      return isComplete
    },
    /** The store has all items, or the first page of every list. */
    complete(isAll = true) {
      if (isComplete) return
      hasFirst = true
      isComplete = isAll
      tell(new Set())
    },
  }
}
