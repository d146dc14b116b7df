/**
 * The factor of the dynamic threshold: a network may hold up to this many times the free amount. One network alone gets
 * 8/9 of a resource, two get 8/17 each; the rest is left for networks that hold less.
 */
const alpha = 8

/**
 * A resource of fixed size, shared between networks. While it is scarce, networks with a large share are rejected and
 * networks without a share are accepted. The threshold depends on the free amount, as in shared-memory switches
 * (Choudhury and Hahne, "Dynamic queue length thresholds", 1998), so nothing has to be reserved per network.
 */
export class FairShare {
  readonly #size: number
  readonly #max: number
  readonly #held = new Map<string, number>()
  #used = 0

  /** `max`: how much one network may hold in any case. */
  constructor(size: number, max = Number.POSITIVE_INFINITY) {
    this.#size = size
    this.#max = max
  }

  get used() {
    return this.#used
  }

  /** Whether a network that holds all of the used amount would be rejected. If not, no network is rejected. */
  get isScarce() {
    return this.#used + 1 > alpha * (this.#size - this.#used - 1)
  }

  allows(network: string, amount = 1) {
    const free = this.#size - this.#used - amount
    return this.#heldBy(network) + amount <= Math.min(alpha * free, this.#max)
  }

  take(network: string, amount: number) {
    this.#used += amount
    this.#held.set(network, this.#heldBy(network) + amount)
  }

  release(network: string, amount: number) {
    this.#used -= amount
    const held = this.#heldBy(network) - amount
    if (held > 0) this.#held.set(network, held)
    else this.#held.delete(network)
  }

  #heldBy(network: string) {
    return this.#held.get(network) ?? 0
  }
}
