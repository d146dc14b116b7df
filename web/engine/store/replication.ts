import type { Delta } from '#contract/changes.ts'
import type { Item } from '../entry.ts'
import type { Store } from './store.ts'

/** The number of the change that a cursor names. */
export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

/** The number of items that the store takes at once. */
const itemsAtOnce = 500

/** The functions of the page that the replication uses. */
type Target = {
  /** Called when an answer has arrived with a cursor: from then on there is a log to follow. */
  begin(): void
  /** Fetches the changes after a cursor, or everything. If it throws, the replication waits for the next reason to ask. */
  fetch(since: string | undefined): Promise<Delta>
  /** Waits before an answer that has brought nothing is asked for again. */
  wait(failures: number): Promise<void>
}

export type Replication = ReturnType<typeof createReplication>

/** Fills the store with all items, and then with later changes, one call after the other. */
export function createReplication(store: Store) {
  /** The store contains all changes up to this cursor. During the first read, the read continues with it. */
  let held: string | undefined
  /** The items of a first read after a reset. They replace the store when the read is complete. */
  let replacement: Item[] | undefined
  /** The cursors up to which the store was complete since the last reset. */
  const passed = new Set<string>()
  let wasReset = false
  let target: Target | undefined
  let hasBegun = false
  /** The newest cursor that the server has announced. */
  let newest: string | undefined
  let isRunning = false
  /** The newest cursor when the work in progress last compared it. */
  let compared: string | undefined
  /** Whether to ask again after this fetch, whose answer may be older than the reason to ask. */
  let isDue = false
  let caughtUpAt = Number.NEGATIVE_INFINITY

  function catchUp() {
    if (isRunning || !target || !hasBegun) return
    run(fetchAll)
  }

  /** The cursor up to which the complete store contains all changes. */
  const completeUpTo = () => (held !== undefined && passed.has(held) ? held : undefined)

  /** The store contains all changes up to this cursor. */
  function reach(cursor: string) {
    passed.add(cursor)
    store.reach(seqOf(cursor))
    store.complete()
  }

  /** Takes the next delta. Returns whether another one follows. If this page cannot read deltas, returns undefined. */
  async function take(delta: Delta): Promise<boolean | undefined> {
    if (delta.reset) {
      // A server of a newer build answers so too: this page must be reloaded.
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

  /** Whether no change is announced that the store does not have. */
  const isAtEnd = () => newest === undefined || newest === held

  /** The stream works, and has announced nothing. If no change confirms what the page shows, it asks whether that is lost. */
  function onHeartbeat() {
    if (isRunning || completeUpTo() === undefined || !isAtEnd()) return
    if (store.isConfirmed) caughtUpAt = Date.now()
    else catchUp()
  }

  /** Takes changes, and asks again if there was a reason meanwhile. */
  function run(work: () => Promise<unknown>) {
    isRunning = true
    work()
      // `fetch` has retried already; the next cursor is a reason to try again.
      .catch(() => {
        compared = newest
      })
      .finally(() => {
        isRunning = false
        // A cursor may be announced after the last comparison and before this.
        if (!isDue && newest === compared) return
        isDue = false
        catchUp()
      })
  }

  async function takeWrite(delta: Delta) {
    await take(delta)
    compared = newest
    // Another one was announced meanwhile, or an earlier answer is not confirmed: the server may have lost that.
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
      // A server that does not have an announced change yet is not asked in a loop.
      if (!isMore && !isAtEnd() && newest === known) return
      if (reached.has(held)) await target.wait(failures++)
      reached.add(held)
    }
  }

  return {
    get cursor() {
      return completeUpTo()
    },
    /** Whether the store contains all changes since this cursor, removed items included. */
    hasPassed: (cursor: string) => passed.has(cursor),
    wasReset: () => wasReset,

    /** The store was filled with all items as they were at this cursor: the next delta continues from there. */
    resume(cursor: string) {
      held = cursor
      reach(cursor)
    },

    /** Starts to fetch changes. Returns the function that stops it. */
    start(to: Target) {
      target = to
      if (hasBegun) to.begin()
      catchUp()
      return () => {
        target = undefined
      }
    },

    /**
     * Takes the cursor of an answer. The answer to a list is complete up to its cursor. The answer to a write has a `delta`
     * with all changes since the cursor `before`.
     */
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

    /** The stream sent this cursor. */
    onCursor(cursor: string) {
      // If another one was announced or answered, the server may have lost that.
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

    /** Fetches missing changes, also without an announced cursor. */
    refresh() {
      isDue = isRunning
      catchUp()
    },
  }
}

/** Takes a large delta in parts, so that the page stays responsive. */
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
