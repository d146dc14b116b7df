/** Listeners of an event. `subscribe` returns the function that ends the calls. */
export function createListeners<Arguments extends unknown[] = []>() {
  const listeners = new Set<(...given: Arguments) => void>()
  return {
    tell(...given: Arguments) {
      for (const listener of listeners) listener(...given)
    },
    subscribe(listener: (...given: Arguments) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    clear: () => listeners.clear(),
  }
}
