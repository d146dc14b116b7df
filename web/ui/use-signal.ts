import { useEffect } from 'react'

/** An effect whose listeners and calls end with its signal. The linter checks the dependencies of each call (biome.json). */
export function useSignal(dependencies: readonly unknown[], begin: (signal: AbortSignal) => unknown) {
  useEffect(() => {
    const left = new AbortController()
    begin(left.signal)
    return () => left.abort()
    // biome-ignore lint/correctness/useExhaustiveDependencies: those of the call
  }, dependencies)
}
