import { useRef, useState } from 'react'

/** Runs `work` unless its last run is still under way: a second Enter does nothing, and nothing is disabled. */
export function useOneAtATime<Given extends unknown[]>(work: (...given: Given) => Promise<void>) {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)

  async function run(...given: Given) {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await work(...given)
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return [run, busy] as const
}
