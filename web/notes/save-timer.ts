/** In milliseconds: after the last keystroke, and during continuous typing. */
const [restTime, longestWait] = [1000, 10_000]

/** Calls `save` when typing has rested, or has gone on for long. */
export function createSaveTimer(save: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsavedSince: number | undefined
  return {
    start() {
      clearTimeout(timer)
      unsavedSince ??= performance.now()
      const rest = Math.min(restTime, Math.max(0, unsavedSince + longestWait - performance.now()))
      timer = setTimeout(save, rest)
    },
    stop: () => clearTimeout(timer),
    reset() {
      unsavedSince = undefined
    },
  }
}
