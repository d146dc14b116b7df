import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { notAnswered } from '../store/change-errors.ts'
import { isTask } from '../store/item-rules.ts'
import { hasValues, type Values, type Verb } from '../store/pending-change.ts'
import type { Store } from '../store/store.ts'
import { isUnanswered } from '../sync/retry-delay.ts'
import type { Journal } from './journal.ts'

/** In milliseconds: how long an awaited entry waits for the earlier entries of its item. */
const longestWait = 20_000

/**
 * An entry that a specified call sends. It is made over this `version` of its item, and shown once the server has confirmed it; `made`
 * are the values of the item then. `before` and `after` are the values that Undo and Redo show.
 */
export type AwaitedEntry = {
  verb: Verb
  item: string
  version: number
  made: Values
  before: Values
  after: Values
}

/** `isStored`: an answer to a later call says that the server has it. `isRemembered`: it is a step of Undo. */
type Lost = AwaitedEntry & { isStored?: true; isRemembered?: true }

const isMade = ({ version, made }: AwaitedEntry, task: Task) =>
  task.version > version && hasValues(task, made)

/**
 * The entries that are awaited. A failed one is withdrawn, and its caller tells the failure. `remember` makes a confirmed one a step of
 * Undo, with this version of its item.
 */
export function createAwaitedEntries(
  store: Store,
  journal: Pick<Journal, 'answered'>,
  remember: (entry: AwaitedEntry, task: Task) => void,
) {
  const awaited = new Set<Promise<unknown>>()
  /** The entries whose calls got no answer. The log may show later that the server has them. */
  const lost = new Set<Lost>()

  store.subscribe((ids) => {
    for (const entry of lost) if (ids.has(entry.item)) look(entry)
  })
  store.onReplaced(() => lost.clear())

  const lostOf = ({ verb, item }: Pick<AwaitedEntry, 'verb' | 'item'>) =>
    [...lost].filter((entry) => entry.verb === verb && entry.item === item)

  function look(entry: Lost) {
    const task = store.stored(entry.item)
    if (!task || !isTask(task)) return
    if (!isMade(entry, task)) {
      if (entry.isStored || entry.isRemembered) lost.delete(entry)
    } else if (!entry.isRemembered) {
      entry.isRemembered = true
      // An unsent change of the task may be the same one, with a step of its own.
      journal
        .answered(entry.item)
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

  return {
    awaiting<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = work()
      awaited.add(result)
      const end = () => awaited.delete(result)
      result.then(end, end)
      return result
    },
    isAwaited: () => awaited.size > 0,
    /** Waits for those that are awaited now. */
    settled: () => Promise.allSettled(awaited),

    /** Makes the call of an entry after the earlier changes of its item. If it gets no answer, the log is asked for the entry. */
    async send<Answer>(entry: AwaitedEntry, call: () => Promise<Answer>): Promise<Answer> {
      await earlierSent(entry.item)
      try {
        return await call()
      } catch (error) {
        if (isUnanswered(problemFrom(error)?.status ?? 200)) {
          const unanswered = { ...entry }
          lost.add(unanswered)
          look(unanswered)
        }
        throw error
      }
    },

    /** The server has the entry, and the task is as its answer says, which may be that to an earlier call. */
    confirm(entry: AwaitedEntry, task: Task) {
      const earlier = lostOf(entry)
      for (const each of earlier) lost.delete(each)
      if (earlier.every(({ isRemembered }) => isRemembered) || isMade(entry, task)) remember(entry, task)
    },

    /** The entries of this verb and item whose calls got no answer, and whose outcomes no later answer has told. */
    lostOf: (entry: Pick<AwaitedEntry, 'verb' | 'item'>): AwaitedEntry[] =>
      lostOf(entry).filter(({ isStored }) => !isStored),

    /** An answer says that the server has the lost entries. The next report of the item in the log says their version, or a later one. */
    markStored(entry: Pick<AwaitedEntry, 'verb' | 'item'>) {
      for (const each of lostOf(entry)) each.isStored = true
    },
  }
}
