/** An object that holds a share of a pool. */
export type Holder = {
  /** Undefined for holders that are counted but never evicted. */
  readonly network: string | undefined
  /** Ends the holder's work. It has been released from the pool before. */
  evict(): void
}

type Share<H> = { amount: number; holders: Map<H, number> }

/**
 * A resource of fixed size, shared between networks. On overflow, a holder of the network with the largest share is
 * evicted, so a network with a small share can always get more.
 */
export class EvictingPool<H extends Holder> {
  readonly #size: number
  readonly #choose: (holders: ReadonlyMap<H, number>) => H
  readonly #shares = new Map<string | undefined, Share<H>>()
  #used = 0

  /** `choose` selects the holder to evict from a network's holders, of which there is at least one: by default, that of the most. */
  constructor(size: number, choose: (holders: ReadonlyMap<H, number>) => H = largestHolder) {
    this.#size = size
    this.#choose = choose
  }

  get used() {
    return this.#used
  }

  /** Adds `amount` to the holder's share and evicts holders, possibly this one, until the total fits. */
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
      // All holders are exempt from eviction, so the newest one is evicted instead.
      const evicted = largest ? this.#choose(largest.holders) : holder
      this.release(evicted)
      evicted.evict()
    }
  }

  /** Releases the holder's share. Further calls have no effect. */
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

function largestHolder<H>(holders: ReadonlyMap<H, number>): H {
  const [first] = holders
  let [largest, most] = first as [H, number]
  for (const [holder, amount] of holders) if (amount > most) [largest, most] = [holder, amount]
  return largest
}
