import { useRef, useState } from 'react'

/** A second call while the first is running does nothing, so no control needs to be disabled. */
export function useOneAtATime<Given extends unknown[]>(work: (...given: Given) => Promise<unknown>) {
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
