import type { Delta } from '#contract/changes.ts'
import type { Item } from '../entry.ts'
import type { Store } from './store.ts'

export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

const itemsAtOnce = 500

type Target = {
  /** Called at the first answer with a cursor: from then on there is a log to follow. */
  begin(): void
  /** Fetches the changes after a cursor, or all items. If it throws, the next announced cursor is the next attempt. */
  fetch(since: string | undefined): Promise<Delta>
  /** Waits before repeating a call whose answer had nothing new. */
  wait(failures: number): Promise<void>
}

export type Replication = ReturnType<typeof createReplication>

/** Fills the store with all items and then with later changes, one call after another. */
export function createReplication(store: Store) {
  /** The store has all changes up to this cursor. An incomplete first read continues from it. */
  let held: string | undefined
  /** The items read since a reset. They replace the store when all are read. */
  let replacement: Item[] | undefined
  /** The cursors at which the store was complete, since the last reset. */
  const passed = new Set<string>()
  let wasReset = false
  let target: Target | undefined
  let hasBegun = false
  let newest: string | undefined
  let isRunning = false
  /** The value of `newest` when the running work last compared it. */
  let compared: string | undefined
  /** Whether to ask again after the running fetch, whose answer may be too old. */
  let isDue = false
  let caughtUpAt = Number.NEGATIVE_INFINITY

  function catchUp() {
    if (isRunning || !target || !hasBegun) return
    run(fetchAll)
  }

  const completeUpTo = () => (held !== undefined && passed.has(held) ? held : undefined)

  function reach(cursor: string) {
    passed.add(cursor)
    store.reach(seqOf(cursor))
    store.complete()
  }

  /** Takes a delta. Returns whether another one follows; undefined if this page cannot read deltas. */
  async function take(delta: Delta): Promise<boolean | undefined> {
    if (delta.reset) {
      // A server of a newer build also answers so. This page must be reloaded.
      if (held === undefined && replacement) return
      held = undefined
      replacement = []
      passed.clear()
      wasReset = true
      return true
    }
    if (replacement) replacement = merged(replacement, delta)
    else if (delta.cursor !== undefined) await follow(store, delta, seqOf(delta.cursor))
    held = delta.cursor
    if (delta.more) return true
    if (replacement) store.replace(replacement)
    replacement = undefined
    if (held === undefined) store.complete()
    else reach(held)
    return false
  }

  const isAtEnd = () => newest === undefined || newest === held

  /** The stream works, and announced nothing. If an earlier answer is still not confirmed, the server may have lost it. */
  function onHeartbeat() {
    if (isRunning || completeUpTo() === undefined || !isAtEnd()) return
    if (store.isConfirmed) caughtUpAt = Date.now()
    else catchUp()
  }

  function run(work: () => Promise<unknown>) {
    isRunning = true
    work()
      // `fetch` has retried already. The next cursor causes another attempt.
      .catch(() => {
        compared = newest
      })
      .finally(() => {
        isRunning = false
        // A cursor may be announced between the last comparison and now.
        if (!isDue && newest === compared) return
        isDue = false
        catchUp()
      })
  }

  async function takeWrite(delta: Delta) {
    await take(delta)
    compared = newest
    // Another cursor was announced meanwhile, or an earlier answer is not confirmed and may be lost.
    if (newest !== held || !store.isConfirmed) await fetchAll()
  }

  async function fetchAll() {
    const reached = new Set<string | undefined>()
    for (let failures = 0; ; ) {
      const known = newest
      const [time, askedAt] = [store.time(), Date.now()]
      const delta = await target?.fetch(held)
      if (!delta || !target) return
      const isMore = await take(delta)
      compared = newest
      if (isMore === undefined) return
      if (!isMore && isAtEnd()) {
        caughtUpAt = askedAt
        if (store.settle(time)) return
      }
      // A server without an announced change is not asked in a loop.
      if (!isMore && !isAtEnd() && newest === known) return
      if (reached.has(held)) await target.wait(failures++)
      reached.add(held)
    }
  }

  return {
    get cursor() {
      return completeUpTo()
    },
    /** Whether the store has all changes since this cursor, also removals. */
    hasPassed: (cursor: string) => passed.has(cursor),
    wasReset: () => wasReset,

    resume(cursor: string) {
      held = cursor
      reach(cursor)
    },

    start(to: Target) {
      target = to
      if (hasBegun) to.begin()
      catchUp()
      return () => {
        target = undefined
      }
    },

    /** Takes the cursor of a list, which is complete up to it, or of a write, whose `delta` has all changes since `before`. */
    answered(cursor: string, write?: { before: string; delta: Delta }) {
      if (!hasBegun) {
        hasBegun = true
        target?.begin()
      }
      if (cursor === held) return
      newest = cursor
      if (write && !isRunning && write.before === completeUpTo()) run(() => takeWrite(write.delta))
      else catchUp()
    },

    onCursor(cursor: string) {
      // If another cursor was announced or answered, the server may have lost that change.
      const isNew = cursor !== held || (newest !== undefined && cursor !== newest)
      newest = cursor
      if (isNew) catchUp()
      else onHeartbeat()
    },

    onHeartbeat,

    /** The last time at which the store had all changes, in milliseconds since 1970. */
    get caughtUpAt() {
      return caughtUpAt
    },

    /** Fetches changes even if no cursor was announced. */
    refresh() {
      isDue = isRunning
      catchUp()
    },
  }
}

async function follow(store: Store, delta: Delta, seq: number) {
  const items = itemsIn(delta)
  store.follow({ items: items.slice(0, itemsAtOnce), ...(delta.purged && { purged: delta.purged }) }, seq)
  for (let from = itemsAtOnce; from < items.length; from += itemsAtOnce) {
    await new Promise((resolve) => setTimeout(resolve))
    store.follow({ items: items.slice(from, from + itemsAtOnce) }, seq)
  }
}

function merged(held: readonly Item[], delta: Delta): Item[] {
  const items = itemsIn(delta)
  const ids = new Set([...(delta.purged ?? []), ...items.map(({ _id }) => _id)])
  return [...held.filter(({ _id }) => !ids.has(_id)), ...items]
}

const itemsIn = ({ items = [] }: Delta) => items.map(({ kind, item }) => ({ ...item, kind }) as Item)
