/** Something that holds a part of a pool. */
export type Holder = {
  /** Undefined for what is counted, but never evicted. */
  readonly network: string | undefined
  /** Ends what the holder does; it has left the pool by then. */
  evict(): void
}

type Share<H> = { amount: number; holders: Map<H, number> }

/**
 * A resource of fixed size, shared between networks: when it overflows, the network that holds the most loses one of
 * its holders, so that a network that holds little always finds room.
 */
export class EvictingPool<H extends Holder> {
  readonly #size: number
  readonly #choose: (holders: ReadonlyMap<H, number>) => H
  readonly #shares = new Map<string | undefined, Share<H>>()
  #used = 0

  /** `choose` picks whom a network loses first, from a map that is never empty. */
  constructor(size: number, choose: (holders: ReadonlyMap<H, number>) => H) {
    this.#size = size
    this.#choose = choose
  }

  get used() {
    return this.#used
  }

  /** Gives `amount` more to the holder, and evicts until all fits, which may concern this holder. */
  hold(holder: H, amount: number) {
    let share = this.#shares.get(holder.network)
    if (!share) {
      share = { amount: 0, holders: new Map() }
      this.#shares.set(holder.network, share)
    }
    share.amount += amount
    share.holders.set(holder, (share.holders.get(holder) ?? 0) + amount)
    this.#used += amount
    while (this.#used > this.#size) {
      const largest = this.#largest()
      // What never gives way has taken all there is, so the one that came last finds no room.
      const evicted = largest ? this.#choose(largest.holders) : holder
      this.release(evicted)
      evicted.evict()
    }
  }

  /** Takes back whatever the holder has; it may be called again. */
  release(holder: H) {
    const share = this.#shares.get(holder.network)
    const amount = share?.holders.get(holder)
    if (!share || amount === undefined) return
    this.#used -= amount
    share.amount -= amount
    share.holders.delete(holder)
    if (share.holders.size === 0) this.#shares.delete(holder.network)
  }

  #largest(): Share<H> | undefined {
    let largest: Share<H> | undefined
    for (const [network, share] of this.#shares)
      if (network !== undefined && share.amount > (largest?.amount ?? 0)) largest = share
    return largest
  }
}

/** The holder of the largest amount. */
export function largestHolder<H>(holders: ReadonlyMap<H, number>): H {
  let largest: H | undefined
  let max = -1
  for (const [holder, amount] of holders) {
    if (amount > max) {
      max = amount
      largest = holder
    }
  }
  return largest as H
}
