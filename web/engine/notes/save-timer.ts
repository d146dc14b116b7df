import type { Needs } from '../needs.ts'

/** In milliseconds: after the last keystroke, and during continuous typing. */
const [restTime, longestWait] = [1000, 10_000]

/** Calls `save` when typing has rested or has gone on for long, and again after a failure. A save ends all waiting for it. */
export function createSaveTimer(save: () => void, wait: Needs['wait']) {
  const closing = new AbortController()
  let waiting = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsavedSince: number | undefined
  let failures = 0
  return {
    start() {
      clearTimeout(timer)
      unsavedSince ??= performance.now()
      const rest = Math.min(restTime, Math.max(0, unsavedSince + longestWait - performance.now()))
      timer = setTimeout(save, rest)
    },
    stop() {
      clearTimeout(timer)
      waiting.abort()
    },
    reset() {
      unsavedSince = undefined
    },
    succeeded() {
      failures = 0
    },
    async retry() {
      waiting = new AbortController()
      const signal = AbortSignal.any([waiting.signal, closing.signal])
      await wait(failures++, signal)
      if (!signal.aborted) save()
    },
    close() {
      clearTimeout(timer)
      closing.abort()
    },
  }
}
