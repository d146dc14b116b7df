import type { Delta } from '#contract/changes.ts'
import type { Item } from './pending-change.ts'
import type { Store } from './store.ts'

/** The functions of the page that the replication uses. */
export type Target = {
  /** Called when an answer has arrived with a cursor: from then on there is a log to follow. */
  begin(): void
  /** Fetches the changes after a cursor, or everything. If it throws, the replication waits for the next reason to ask. */
  fetch(since: string | undefined): Promise<Delta>
}

export type Replication = ReturnType<typeof createReplication>

/** The number of the change that a cursor names. */
export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

/** The number of items that the store takes at once. */
const itemsAtOnce = 500

/** Fills the store with all items, and then with later changes, one call after the other. */
export function createReplication(store: Store) {
  let target: Target | undefined
  let hasBegun = false
  /** The store contains all changes up to this cursor; during the first read, the cursor to continue it with. */
  let held: string | undefined
  /** The newest cursor that the server has announced. */
  let newest: string | undefined
  /** The items of a first read after a reset. They replace the store when the read is complete. */
  let replacement: Item[] | undefined
  let isRunning = false
  /** Whether to ask again after this fetch, whose answer may be older than the reason to ask. */
  let isDue = false
  /** The cursors up to which the store was complete since the last reset. */
  const passed = new Set<string>()
  let wasReset = false

  function catchUp() {
    if (isRunning || !target || !hasBegun) return
    isRunning = true
    fetchAll()
      // `fetch` has retried already; the next cursor is a reason to try again.
      .catch(() => {})
      .finally(() => {
        isRunning = false
        if (!isDue) return
        isDue = false
        catchUp()
      })
  }

  async function fetchAll() {
    for (;;) {
      const known = newest
      const time = store.time()
      const delta = await target?.fetch(held)
      if (!delta || !target) return
      if (delta.reset) {
        // A server of a newer build answers so too: this page must be reloaded.
        if (held === undefined && replacement) return
        held = undefined
        replacement = []
        passed.clear()
        wasReset = true
        continue
      }
      if (replacement) replacement = merged(replacement, delta)
      else if (delta.cursor !== undefined) await follow(delta, seqOf(delta.cursor))
      held = delta.cursor
      if (delta.more) continue
      if (replacement) store.replace(replacement)
      replacement = undefined
      if (held !== undefined) passed.add(held)
      store.complete()
      const isAtEnd = newest === undefined || newest === held
      if (isAtEnd && store.settle(time)) return
      // A server that does not have an announced change yet is not asked in a loop.
      if (!isAtEnd && newest === known) return
    }
  }

  /** Takes a large answer in parts, so that the page stays responsive. */
  async function follow({ items = [], purged = [] }: Delta, seq: number) {
    store.follow({ items: items.slice(0, itemsAtOnce), purged }, seq)
    for (let from = itemsAtOnce; from < items.length; from += itemsAtOnce) {
      await new Promise((resolve) => setTimeout(resolve))
      store.follow({ items: items.slice(from, from + itemsAtOnce) }, seq)
    }
  }

  return {
    /** The cursor up to which the complete store contains all changes. */
    get cursor() {
      return held !== undefined && passed.has(held) ? held : undefined
    },
    /** Whether the store contains all changes since this cursor, removed items included. */
    hasPassed: (cursor: string) => passed.has(cursor),
    get wasReset() {
      return wasReset
    },

    /** The store was filled with all items as they were at this cursor: the next call continues from there. */
    resume(cursor: string) {
      held = cursor
      passed.add(cursor)
      store.complete()
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

    /** An answer arrived with this cursor: of a list, up to which it is complete, or of a write. */
    answered(cursor: string) {
      if (!hasBegun) {
        hasBegun = true
        target?.begin()
      }
      if (cursor === held) return
      newest = cursor
      catchUp()
    },

    /** The stream sent this cursor. */
    onCursor(cursor: string) {
      // If another one was announced or answered, the server may have lost that.
      const isNew = cursor !== held || (newest !== undefined && cursor !== newest)
      newest = cursor
      if (isNew) catchUp()
    },

    /** Fetches missing changes, also without an announced cursor. */
    refresh() {
      isDue = isRunning
      catchUp()
    },
  }
}

function merged(held: readonly Item[], { items = [], purged = [] }: Delta): Item[] {
  const ids = new Set([...purged, ...items.map(({ item }) => item._id)])
  return [...held.filter(({ _id }) => !ids.has(_id)), ...items.map(({ item }) => item)]
}
