/**
 * A network may hold this many times what is still free. Alone it gets 8/9 of a resource, two get 8/17 each, and what
 * remains is for networks that hold less.
 */
const generosity = 8

/**
 * A resource of fixed size, shared between networks: a network that holds much is refused while it is scarce, a
 * network that holds nothing is not. The threshold follows what is free, as in the shared buffers of switches
 * (Choudhury and Hahne, "Dynamic queue length thresholds", 1998), so that nothing has to be reserved by name.
 */
export class FairShare {
  readonly #size: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor(size: number) {
    this.#size = size
  }

  get used() {
    return this.#used
  }

  /** Whether a network that holds everything used would be refused; while this is false, nobody is. */
  isScarce(amount = 1) {
    return this.#used + amount > generosity * (this.#size - this.#used - amount)
  }

  allows(network: string, amount = 1) {
    return this.#heldBy(network) + amount <= generosity * (this.#size - this.#used - amount)
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
