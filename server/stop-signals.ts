/** Milliseconds. A terminal, a service manager and a launcher may each pass on the same Ctrl-C. */
const samePress = 1000

/**
 * Calls `stop` at the first SIGTERM, SIGINT or SIGHUP. Further signals change nothing, because a process group, npm and the
 * launcher pass the same signal on several times. A second SIGINT that is at least a second later than the first ends the
 * process at once, with code 1.
 */
export function onStopSignal(stop: () => void): void {
  let isStopping = false
  let interruptedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGINT') {
        const now = performance.now()
        interruptedAt ??= now
        if (now - interruptedAt >= samePress) process.exit(1)
      }
      if (isStopping) return
      isStopping = true
      stop()
    })
  }
}
