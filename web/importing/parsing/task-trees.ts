/** An item that can be a part of another one, which its source names. */
type Part = { key?: string | undefined; ref?: string | undefined; parent?: string | undefined }

export type Tree<Item> = { root: Item; parts: { item: Item; depth: number }[] }

/**
 * Returns the items that are parts of none, each with its parts in their order and how deep they are. A part may be before its whole.
 * Of items that are parts of each other, one is a root. Nothing here calls itself, because a chain can be as long as a file.
 */
export function treesOf<Item extends Part>(items: readonly Item[]): Tree<Item>[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const name = item.ref ?? item.key
    if (name !== undefined && !byKey.has(name)) byKey.set(name, item)
  }
  const wholeOf = (item: Item) => (item.parent === undefined ? undefined : byKey.get(item.parent))
  /** Items that are known to end at a root. */
  const placed = new Set<Item>()
  /** One item of each circle of parts. */
  const first = new Set<Item>()
  for (const item of items) {
    const path = new Set<Item>()
    let at: Item | undefined = item
    while (at && !placed.has(at) && !path.has(at)) {
      path.add(at)
      at = wholeOf(at)
    }
    if (at && path.has(at)) first.add(at)
    for (const each of path) placed.add(each)
  }
  const isRoot = (item: Item) => first.has(item) || !wholeOf(item)
  const parts = Map.groupBy(items, (item) => (isRoot(item) ? undefined : wholeOf(item)))
  return (parts.get(undefined) ?? []).map((root) => ({ root, parts: partsOf(root, parts) }))
}

function partsOf<Item>(root: Item, parts: Map<Item | undefined, Item[]>) {
  const found: { item: Item; depth: number }[] = []
  const waiting = (parts.get(root) ?? []).map((item) => ({ item, depth: 0 })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next)
    const depth = next.depth + 1
    for (const item of (parts.get(next.item) ?? []).toReversed()) waiting.push({ item, depth })
  }
  return found
}
