/** Which items a view contains, and in which order. */
export type Rule<Item> = {
  has: (item: Item) => boolean
  /** Negative if `one` comes before `other`. Total: no two items are equal. */
  compare: (one: Item, other: Item) => number
}

/** An item before and after a change. Where there was or is no item, it is undefined. */
export type Replacement<Item> = { before: Item | undefined; after: Item | undefined }

/** The items of a rule in its order, in an array that is replaced by each change of one of them. */
export function createSortedView<Item extends { _id: string }>(
  all: Iterable<Item>,
  { has, compare }: Rule<Item>,
) {
  let items = [...all].filter(has).sort(compare)

  /** The number of items that come before this one. */
  function countBefore(others: readonly Item[], item: Item): number {
    let [from, to] = [0, others.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (compare(others[middle] as Item, item) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  return {
    get items(): readonly Item[] {
      return items
    },

    change(changes: Iterable<Replacement<Item>>) {
      const leaving = new Set<string>()
      const entering: Item[] = []
      for (const { before, after } of changes) {
        if (before && has(before)) leaving.add(before._id)
        if (after && has(after)) entering.push(after)
      }
      if (leaving.size + entering.length === 0) return
      const others = leaving.size > 0 ? items.filter(({ _id }) => !leaving.has(_id)) : items
      const merged: Item[] = []
      let from = 0
      for (const item of entering.sort(compare)) {
        const to = countBefore(others, item)
        for (; from < to; from++) merged.push(others[from] as Item)
        merged.push(item)
      }
      items = merged.concat(others.slice(from))
    },
  }
}

export type SortedView<Item extends { _id: string }> = ReturnType<typeof createSortedView<Item>>
