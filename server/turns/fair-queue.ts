/** The number of new groups that are served between the turns of others, so that endless new groups cannot block these. */
const freshPerOther = 4

/** A group with its entries or, at the wider levels, its groups. */
class Group<T> {
  readonly name: string
  /** The number of entries, at all levels. */
  size = 0
  /** The share that the group may still use before the others' turn. Below 0, the group owes the difference. */
  credit: number
  readonly groups = new Map<string, Group<T>>()
  /** New groups. They are served before the others, once. */
  readonly fresh: Group<T>[] = []
  readonly others: Group<T>[] = []
  /** The number of new groups that were served since the last turn of another one. */
  freshInARow = 0
  /** Entries of work that has begun, which are taken before new ones, so that little work is incomplete at a time. */
  readonly begun: T[] = []
  readonly entries: T[] = []

  constructor(name: string, credit: number) {
    this.name = name
    this.credit = credit
  }

  groupOf(name: string, credit: number): Group<T> {
    const known = this.groups.get(name)
    if (known) return known
    const group = new Group<T>(name, credit)
    this.groups.set(name, group)
    this.fresh.push(group)
    return group
  }

  largest(): Group<T> {
    let largest: Group<T> = this
    for (const group of this.groups.values())
      if (largest === this || group.size >= largest.size) largest = group
    return largest
  }
}

/**
 * A queue of nested groups, such as networks and their accounts. At each level the groups take turns. A group with many
 * entries, or with entries that take long, delays only itself. This is deficit round robin with priority for groups that use
 * little, as in FQ-CoDel (RFC 8290).
 */
export class FairQueue<T> {
  readonly #share: number
  readonly #all: Group<T>
  #taken: Group<T>[] = []

  /** `share`: how much a group may use in each of its turns, in the unit of `charge`. */
  constructor(share: number) {
    this.#share = share
    this.#all = new Group('', share)
  }

  get size() {
    return this.#all.size
  }

  /** Whether nobody else waits: all entries are in the narrowest group of the entry that was taken last. */
  get isAlone() {
    return this.size === (this.#taken.at(-1)?.size ?? 0)
  }

  /** `path`: the names of the entry's groups, from the widest to the narrowest. */
  push(path: readonly string[], entry: T, isBegun = false) {
    let group = this.#all
    group.size++
    for (const name of path) {
      group = group.groupOf(name, this.#share)
      group.size++
    }
    if (isBegun) group.begun.push(entry)
    else group.entries.push(entry)
  }

  /**
   * Removes and returns the next entry. If each group with entries has a debt, a turn reduces its debt; with
   * `mustOweNothing`, the result is then undefined.
   */
  take(mustOweNothing = false): T | undefined {
    if (this.size === 0) return undefined
    const path = [this.#all]
    let group = this.#all
    while (group.begun.length + group.entries.length === 0) {
      const next = this.#next(group, mustOweNothing)
      if (!next) return undefined
      group = next
      path.push(group)
    }
    for (const each of path) each.size--
    this.#taken = path
    return group.begun.shift() ?? group.entries.shift()
  }

  /** Counts the use of the entry that was taken last. */
  charge(amount: number) {
    for (const group of this.#taken) group.credit -= amount
  }

  /** Removes and returns the newest entry of the largest group, at each level. */
  dropNewest(): T | undefined {
    let group = this.#all
    for (let next = group.largest(); next !== group; next = group.largest()) {
      group.size--
      group = next
    }
    group.size--
    return group.entries.pop() ?? group.begun.pop()
  }

  /** The group with entries whose turn it is. */
  #next(parent: Group<T>, mustOweNothing: boolean): Group<T> | undefined {
    const { groups, fresh, others } = parent
    const maxPassed = mustOweNothing ? groups.size : Number.POSITIVE_INFINITY
    for (let passed = 0; passed <= maxPassed; passed++) {
      const isOther = fresh.length === 0 || (others.length > 0 && parent.freshInARow >= freshPerOther)
      const line = isOther ? others : fresh
      const group = line[0] as Group<T>
      if (group.credit > 0 && group.size > 0) return group
      line.shift()
      if (isOther && group.credit > 0) {
        groups.delete(group.name)
        continue
      }
      parent.freshInARow = isOther ? 0 : parent.freshInARow + 1
      // A new group without entries stays for one more turn, so that it is not new again at once.
      others.push(group)
      if (group.credit <= 0 && !(mustOweNothing && group.size > 0)) group.credit += this.#share
    }
    return undefined
  }
}
