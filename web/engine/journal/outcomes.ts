import { withChecked } from '#contract/check-lines.ts'
import { problemFrom } from '../../api/client.ts'
import { createListeners } from '../../api/listeners.ts'
import { type Entry, hasValues, isWhole, nameOf, shownBy } from '../entry.ts'
import {
  changedElsewhere,
  deletedElsewhere,
  isGone,
  problem,
  unknownToServer,
} from '../store/change-errors.ts'
import { itemsIn } from '../store/known-items.ts'
import type { Store } from '../store/store.ts'
import type { Answered, Entries, Result } from './entries.ts'

export type Outcomes = ReturnType<typeof createOutcomes>

/** How often a tick is tried again while another device changes the body. */
const attempts = 3

/** The outcomes of entries, also of other tabs. The caller that made a change in this tab gets its outcome. */
export function createOutcomes(store: Store, entries: Entries) {
  const waiters = new Map<string, PromiseWithResolvers<void>>()
  const numbered = createListeners<[entry: Entry, seq: number | undefined]>()
  const numbers = new Map<string, number>()
  let conflicts = 0

  function settle(mutation: string, error?: unknown) {
    const waiter = waiters.get(mutation)
    waiters.delete(mutation)
    if (error === undefined) waiter?.resolve()
    else waiter?.reject(error)
  }

  function lose(mutation: string) {
    entries.forget([mutation])
    settle(mutation)
  }

  /** Changes stored entries. One that another tab has removed stays until the event, because the event of its answer comes first. */
  function update(changed: readonly Entry[], change: (entry: Entry) => Entry) {
    entries.put(changed.flatMap(({ mutation }) => entries.held(mutation) ?? []).map(change))
  }

  function confirm(confirmed: Entry, seq: number | undefined) {
    numbered.tell(confirmed, seq)
    if (seq === undefined) return
    numbers.set(nameOf(confirmed), seq)
    const undoing = undoingOf(confirmed)
    if (undoing.length > 0) update(undoing, withNumber)
  }

  /** Adds the number of the undone change, which the tab that made the undo may not have known. */
  function withNumber(entry: Entry): Entry {
    const seq = 'undo' in entry ? numbers.get(entry.undo.of ?? '') : undefined
    return 'undo' in entry && seq !== undefined ? { ...entry, undo: { ...entry.undo, seq } } : entry
  }

  const undoingOf = (undone: Entry) =>
    entries.inOrder().filter((entry) => 'undo' in entry && entry.undo.of === nameOf(undone))

  /** Whether the items are already as the undo wants them, for example after the same undo in another tab. */
  function isNeedless(entry: Entry): boolean {
    const shown = 'undo' in entry ? Object.entries(entry.shows) : []
    // If the text of a note was changed, no values are known.
    const isKnown = shown.every(([, values]) => values === null || Object.keys(values).length > 0)
    return shown.length > 0 && isKnown && shown.every(([id, values]) => hasValues(store.stored(id), values))
  }

  /** Keeps a rejected entry until a person decides, or drops it if its caller tells the failure and there is nothing to decide. */
  function reject(entry: Entry, error: unknown) {
    const { mutation } = entry
    const status = problemFrom(error)?.status ?? 0
    const isDone = status === 409 && isNeedless(entry)
    const isTold = !isDone && waiters.has(mutation) && !entry.typed
    const undoings = undoingOf(entry)
    if (isTold && ('undo' in entry || undoings.length > 0 || isGone(error))) {
      for (const undoing of undoings)
        if ('undo' in undoing && undoing.undo.seq === undefined && !entry.group) {
          entries.drop([undoing])
          settle(undoing.mutation)
        }
      entries.drop([entry])
    } else if (isDone) entries.drop([entry])
    else {
      const reason = error instanceof Error ? error.message : String(error)
      update([entry], (held) => ({ ...held, status: 'failed', failure: { status, reason } }))
    }
    settle(mutation, isTold ? error : undefined)
    if (!isTold) numbered.tell(entry, undefined)
  }

  /** Shows what the server has derived from a stored change, until the log has it. */
  function showDerived(entry: Entry, result: Result | undefined) {
    if (!result?.item) return
    // The server creates an item directly after the change, unless another device has created it before.
    const version = result.seq === undefined ? 0 : result.seq + 1
    for (const [id, values] of Object.entries(shownBy(entry)))
      if (values === null) store.remove([id])
      else if (isWhole(values)) store.expect({ ...values, version }, version || result.item.version)
  }

  /** Returns whether an entry is stored. Otherwise it is rejected, or sent again. */
  function isStored(entry: Answered): boolean {
    const result = resultOf(entry)
    const item = result?.item
    // An earlier answer was lost, and the item has changed since.
    if (result?.outcome === 'duplicate' && result.seq !== item?.version) return true
    const isDeletion = 'undo' in entry || ('set' in entry && entry.set.deleted !== undefined)
    let error: Error | undefined
    if (result && !item) error = unknownToServer()
    else if (result?.outcome === 'conflict') {
      if ('check' in entry && ++conflicts < attempts) return false
      error = changedElsewhere()
    } else if (item && isWithoutLine(item, entry)) {
      error = changedElsewhere()
    } else {
      conflicts = 0
      const isTold = waiters.has(entry.mutation) || ('set' in entry && entry.base !== undefined)
      if (item && item.deletedAt !== null && !isDeletion && isTold) {
        // It is stored, and its undo can be sent.
        confirm(entry, result?.seq)
        // Without an effect, another device had completed the task before, and the next one is there.
        if (result?.seq === undefined) showDerived(entry, result)
        error = deletedElsewhere()
      }
    }
    if (error) reject(entry, error)
    return error === undefined
  }

  function answered(all: readonly Answered[]) {
    store.put(itemsIn(all.flatMap(({ answer = [] }) => answer)))
    const stored = all.filter(isStored)
    for (const entry of stored) {
      if (entry.answer) entries.share(entry)
      // First, the undo gets the number, because the tab may end in between.
      confirm(entry, resultOf(entry)?.seq)
    }
    // Without the entry, they would be gone until the log has them.
    for (const entry of stored) showDerived(entry, resultOf(entry))
    entries.drop(stored)
    for (const { mutation } of stored) settle(mutation)
  }

  function takeStored(entry: Answered) {
    const { mutation, answer, failure } = entry
    if (answer) {
      // A tab of an earlier build stores a single result.
      const results = [answer].flat()
      store.put(itemsIn(results))
      showDerived(entry, results[0])
      entries.forget([mutation])
      confirm(entry, results[0]?.seq)
      settle(mutation)
    } else if (failure && waiters.has(mutation)) reject(entry, problem(failure.status, failure.reason))
    else entries.take([withNumber(entry)])
  }

  return {
    settle,
    lose,
    update,
    undoingOf,
    reject,
    answered,
    takeStored,

    /** Takes what other tabs have stored and removed. A removal can be read before the event with the answer. */
    async reread() {
      let { added, removed } = entries.read()
      if (removed.length > 0) {
        await new Promise((arrived) => setTimeout(arrived))
        ;({ added, removed } = entries.read())
      }
      for (const mutation of removed) lose(mutation)
      const { waiting = [], over = [] } = Object.groupBy(added, ({ answer, failure }) =>
        answer || failure ? 'over' : 'waiting',
      )
      // All at once, because each time the page counts them.
      if (waiting.length > 0) entries.take(waiting.map(withNumber))
      for (const entry of over) {
        takeStored(entry)
        if (entry.answer) entries.drop([entry])
      }
    },

    /** Reports the number of a stored change; undefined if it had no effect. */
    onNumbered: numbered.subscribe,

    hasWaiter: (mutation: string) => waiters.has(mutation),

    of(mutation: string) {
      const waiter = Promise.withResolvers<void>()
      waiters.set(mutation, waiter)
      return waiter.promise
    },

    settleAll() {
      for (const mutation of waiters.keys()) settle(mutation)
    },
  }
}

const resultOf = ({ item, answer = [] }: Answered): Result | undefined =>
  answer.find((result) => result.item?._id === item) ?? answer[0]

/** Whether the entry ticks a missing line, and so has changed nothing. */
const isWithoutLine = (item: object, entry: Entry) =>
  'check' in entry && 'body' in item && withChecked(String(item.body), entry.check, true) === undefined
