/** How tabs take turns. */
export type Turns = {
  /** Runs the work while no other tab does. */
  exclusively(work: () => Promise<void>, signal: AbortSignal): Promise<void>
  /** Waits before another attempt. */
  wait(failures: number, signal: AbortSignal): Promise<void>
}

type Work = {
  /** If something is left for another attempt, returns why. */
  sendAll: (signal: AbortSignal) => Promise<unknown>
  hasWork: () => boolean
  onPause: () => void
}

/** Sends whenever there is something to be sent, and after a failure again later. */
export function createSchedule({ exclusively, wait }: Turns, { sendAll, hasWork, onPause }: Work) {
  let wake: (() => void) | undefined
  /** Why another attempt is waited for. */
  let failure: unknown
  let isOtherSending = false

  /** Waits for an entry, or after a failure for the time of the next attempt. */
  async function pause(failures: number, signal: AbortSignal) {
    const ended = new AbortController()
    await new Promise<void>((resolve) => {
      wake = () => {
        ended.abort()
        resolve()
      }
      signal.addEventListener('abort', wake, { signal: ended.signal })
      if (failures > 0) wait(failures, ended.signal).then(resolve)
      else if (hasWork()) resolve()
    })
    ended.abort()
  }

  return {
    wake: () => wake?.(),
    wakeIfReady: () => void (failure === undefined && hasWork() && wake?.()),
    failure: () => failure,

    /** The other tab sends the remaining entries, unless it has ended. */
    async wakeLater(signal: AbortSignal) {
      if (isOtherSending) return
      isOtherSending = true
      await wait(1, signal)
      isOtherSending = false
      wake?.()
    },

    async run(signal: AbortSignal) {
      for (let failures = 0; !signal.aborted; ) {
        failure = undefined
        const send = async () => {
          failure = await sendAll(signal)
        }
        await exclusively(send, signal).catch((error) => {
          failure = error
          if (!signal.aborted) console.error(error)
        })
        failures = failure === undefined ? 0 : failures + 1
        onPause()
        await pause(failures, signal)
      }
    },
  }
}
