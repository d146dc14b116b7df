/** The number of new groups that are served between the turns of others, so that endless new groups cannot block these. */
const freshPerOther = 4

/**
 * A queue of entries and of nested groups, such as networks and their accounts. Each group is such a queue itself. At each level the
 * groups take turns. A group with many entries, or with entries that take long, delays only itself. This is deficit round robin with
 * priority for groups that use little, as in FQ-CoDel (RFC 8290).
 */
export class FairQueue<T> {
  /** The number of entries, at all levels. */
  size = 0
  readonly #share: number
  readonly #name: string
  /** The share that the group may still use before the others' turn. Below 0, the group owes the difference. */
  #credit: number
  readonly #groups = new Map<string, FairQueue<T>>()
  /** New groups. They are served before the others, once. */
  readonly #fresh: FairQueue<T>[] = []
  readonly #others: FairQueue<T>[] = []
  /** The number of new groups that were served since the last turn of another one. */
  #freshInARow = 0
  /** Entries of work that has begun, which are taken before new ones, so that little work is incomplete at a time. */
  readonly #begun: T[] = []
  readonly #entries: T[] = []
  /** The group of the entry that was taken last. */
  #taken: FairQueue<T> | undefined

  /** `share`: how much a group may use in each of its turns, in the unit of `charge`. */
  constructor(share: number, name = '') {
    this.#share = share
    this.#name = name
    this.#credit = share
  }

  /** Whether nobody else waits: all entries are in the narrowest group of the entry that was taken last. */
  get isAlone() {
    let narrowest: FairQueue<T> = this
    while (narrowest.#taken) narrowest = narrowest.#taken
    return this.size === narrowest.size
  }

  /** `path`: the names of the entry's groups, from the widest to the narrowest. */
  push(path: readonly string[], entry: T, isBegun = false) {
    let group: FairQueue<T> = this
    group.size++
    for (const name of path) {
      group = group.#groupOf(name)
      group.size++
    }
    if (isBegun) group.#begun.push(entry)
    else group.#entries.push(entry)
  }

  #groupOf(name: string): FairQueue<T> {
    const known = this.#groups.get(name)
    if (known) return known
    const group = new FairQueue<T>(this.#share, name)
    this.#groups.set(name, group)
    this.#fresh.push(group)
    return group
  }

  /**
   * Removes and returns the next entry. If each group with entries has a debt, a turn reduces its debt; with
   * `mustOweNothing`, the result is then undefined.
   */
  take(mustOweNothing = false): T | undefined {
    if (this.size === 0) return undefined
    const own = this.#begun.shift() ?? this.#entries.shift()
    const group = own === undefined ? this.#next(mustOweNothing) : undefined
    const entry = own ?? group?.take(mustOweNothing)
    if (entry === undefined) return undefined
    this.size--
    this.#taken = group
    return entry
  }

  /** Counts the use of the entry that was taken last. */
  charge(amount: number) {
    this.#credit -= amount
    this.#taken?.charge(amount)
  }

  /** Removes and returns the newest entry of the largest group, at each level. */
  dropNewest(): T | undefined {
    this.size--
    let largest: FairQueue<T> | undefined
    for (const group of this.#groups.values()) if (group.size >= (largest?.size ?? 1)) largest = group
    return largest ? largest.dropNewest() : (this.#entries.pop() ?? this.#begun.pop())
  }

  /** The group with entries whose turn it is. */
  #next(mustOweNothing: boolean): FairQueue<T> | undefined {
    const [fresh, others] = [this.#fresh, this.#others]
    const maxPassed = mustOweNothing ? this.#groups.size : Number.POSITIVE_INFINITY
    for (let passed = 0; passed <= maxPassed; passed++) {
      const isOther = fresh.length === 0 || (others.length > 0 && this.#freshInARow >= freshPerOther)
      const line = isOther ? others : fresh
      const group = line[0] as FairQueue<T>
      if (group.#credit > 0 && group.size > 0) return group
      line.shift()
      if (isOther && group.#credit > 0) {
        this.#groups.delete(group.#name)
        continue
      }
      this.#freshInARow = isOther ? 0 : this.#freshInARow + 1
      // A new group without entries stays for one more turn, so that it is not new again at once.
      others.push(group)
      if (group.#credit <= 0 && !(mustOweNothing && group.size > 0)) group.#credit += this.#share
    }
    return undefined
  }
}
