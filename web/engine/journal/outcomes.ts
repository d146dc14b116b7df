import { problemFrom } from '../../api/client.ts'
import { type Entry, nameOf } from '../entry.ts'
import { hasValues } from '../items.ts'
import { isGone } from '../store/change-errors.ts'
import type { Store } from '../store/store.ts'
import { createListeners } from '../sync/listeners.ts'
import type { Entries } from './entries.ts'

export type Outcomes = ReturnType<typeof createOutcomes>

/** The outcomes of entries, in this tab or another one. The caller that made a change here gets its outcome. */
export function createOutcomes(store: Store, entries: Entries) {
  const { settle, ...waiters } = createWaiters()
  const numbered = createListeners<[entry: Entry, seq: number | undefined]>()

  /** Another tab has removed the entry. */
  function lose(mutation: string) {
    entries.forget([mutation])
    settle(mutation)
  }

  /**
   * Changes entries as they are on the device. An entry that another tab has removed is shown until the event of its removal: the one with
   * its answer comes before.
   */
  function update(changed: readonly Entry[], change: (entry: Entry) => Entry) {
    const held = changed.flatMap(({ mutation }) => entries.held(mutation) ?? [])
    entries.put(held.map(change))
  }

  /** The server has stored a change under this number. */
  function confirm(confirmed: Entry, seq: number | undefined) {
    numbered.tell(confirmed, seq)
    const undoing = undoingOf(confirmed)
    if (seq === undefined || undoing.length === 0) return
    update(undoing, (held) => ('undo' in held ? { ...held, undo: { ...held.undo, seq } } : held))
  }

  /** The entries that undo this one. */
  const undoingOf = (undone: Entry) =>
    entries.inOrder().filter((entry) => 'undo' in entry && entry.undo.of === nameOf(undone))

  /** Whether the items are as the undo wants them, for example after the same undo in another tab. */
  function isNeedless(entry: Entry): boolean {
    const shown = 'undo' in entry ? Object.entries(entry.shows) : []
    // Of a note whose text was changed, no values are known.
    const isKnown = shown.every(([, values]) => values === null || Object.keys(values).length > 0)
    return shown.length > 0 && isKnown && shown.every(([id, values]) => hasValues(store.stored(id), values))
  }

  /**
   * The change was not stored. Its entry stays with the failure until a person decides. A caller in this tab that waits for it tells the
   * failure. If the caller then has nothing to decide, because it made an undo, or has taken the change back, or the item is gone, the
   * entry is dropped.
   */
  function reject(entry: Entry, error: unknown) {
    const { mutation } = entry
    if (problemFrom(error)?.status === 409 && isNeedless(entry)) {
      entries.drop([entry])
      settle(mutation)
      return numbered.tell(entry, undefined)
    }
    const isTold = waiters.hasWaiter(mutation) && !entry.typed
    const undoings = undoingOf(entry)
    if (!isTold || !('undo' in entry || undoings.length > 0 || isGone(error))) {
      const reason = error instanceof Error ? error.message : String(error)
      const failure = { status: problemFrom(error)?.status ?? 0, reason }
      update([entry], (held) => ({ ...held, status: 'failed', failure }))
      if (isTold) return settle(mutation, error)
      settle(mutation)
      return numbered.tell(entry, undefined)
    }
    for (const undoing of undoings)
      if ('undo' in undoing && undoing.undo.seq === undefined && !entry.group) {
        // Nothing is left to be undone.
        entries.drop([undoing])
        settle(undoing.mutation)
      }
    entries.drop([entry])
    settle(mutation, error)
  }

  return {
    ...waiters,
    settle,
    update,
    confirm,
    undoingOf,
    reject,
    lose,

    /** Reports the number under which the server has stored a change. A change without effect has none. */
    onNumbered: numbered.subscribe,
  }
}

/** The callers that wait for the outcomes of their changes. */
function createWaiters() {
  const waiters = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>()

  function settle(mutation: string, error?: unknown) {
    const waiter = waiters.get(mutation)
    waiters.delete(mutation)
    if (error === undefined) waiter?.resolve()
    else waiter?.reject(error)
  }

  return {
    settle,

    /** Whether the caller that made the change waits for its outcome. */
    hasWaiter: (mutation: string) => waiters.has(mutation),

    /** Settles when the entry has an outcome here. */
    of: (mutation: string) =>
      new Promise<void>((resolve, reject) => {
        waiters.set(mutation, { resolve, reject })
      }),

    /** The entries are kept, and nobody has to wait for them. */
    settleAll() {
      for (const mutation of waiters.keys()) settle(mutation)
    },
  }
}
