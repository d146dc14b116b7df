import type { Delta } from '#contract/changes.ts'
import { type Item, ofKind } from '../items.ts'
import type { Store } from './store.ts'

/** The number of the change that a cursor names. */
export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

/** The number of items that the store takes at once. */
const itemsAtOnce = 500

/** Takes deltas into the store, in their order, and knows up to which cursor the store is complete. */
export function createDeltas(store: Store) {
  /** The store contains all changes up to this cursor. During the first read, the read continues with it. */
  let held: string | undefined
  /** The items of a first read after a reset. They replace the store when the read is complete. */
  let replacement: Item[] | undefined
  /** The cursors up to which the store was complete since the last reset. */
  const passed = new Set<string>()
  let wasReset = false

  /** The store contains all changes up to this cursor. */
  function reach(cursor: string) {
    passed.add(cursor)
    store.reach(seqOf(cursor))
    store.complete()
  }

  return {
    /** The cursor after which the next delta begins. */
    held: () => held,
    /** The cursor up to which the complete store contains all changes. */
    cursor: () => (held !== undefined && passed.has(held) ? held : undefined),
    /** Whether the store contains all changes since this cursor, removed items included. */
    hasPassed: (cursor: string) => passed.has(cursor),
    wasReset: () => wasReset,

    /** The store was filled with all items as they were at this cursor: the next delta continues from there. */
    resume(cursor: string) {
      held = cursor
      reach(cursor)
    },

    /** Takes the next delta. Returns whether another one follows. If this page cannot read deltas, returns undefined. */
    async take(delta: Delta): Promise<boolean | undefined> {
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

const itemsIn = ({ items = [] }: Delta): Item[] =>
  items.map((each) => (each.kind === 'task' ? ofKind('task', each.item) : ofKind('note', each.item)))
