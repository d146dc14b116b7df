import { type Events, readStream } from './event-stream.ts'
import { otherTabShown } from './retry-delay.ts'

/** A cursor, that a person looks at the tab, or without both, a heartbeat. */
type Message = { cursor?: string; isShown?: true }

/**
 * One stream for all tabs of the browser that show the same account: the tab that holds the lock reads it and passes its
 * events to the others. When that tab closes, the next one gets the lock.
 */
export function shareStream(account: string, { onCursor, onHeartbeat }: Events, signal: AbortSignal) {
  const name = `daymark-changes ${account}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data: { cursor, isShown } }: MessageEvent<Message>) => {
    if (isShown) window.dispatchEvent(new Event(otherTabShown))
    else if (cursor === undefined) onHeartbeat()
    else onCursor(cursor)
  }
  signal.addEventListener('abort', () => channel.close())

  const post = (message: Message) => signal.aborted || channel.postMessage(message)
  // The tab that holds the lock may be hidden and wait for its next attempt.
  const look = () => document.visibilityState === 'visible' && post({ isShown: true })
  window.addEventListener('focus', look, { signal })
  document.addEventListener('visibilitychange', look, { signal })
  const read = (until: AbortSignal) =>
    readStream(
      {
        onCursor(cursor) {
          onCursor(cursor)
          post({ cursor })
        },
        onHeartbeat() {
          onHeartbeat()
          post({})
        },
      },
      until,
    )

  return {
    /** Waits for the lock and then reads the stream. A page that is not secure has no locks. */
    async begin() {
      if (!navigator.locks) return await readWhileVisible(read, signal)
      await navigator.locks.request(name, { signal }, () => read(signal)).catch(() => {})
    },
  }
}

/** A browser has only six connections to a server without HTTPS, so tabs in the background close their streams. */
async function readWhileVisible(read: (until: AbortSignal) => Promise<void>, signal: AbortSignal) {
  while (!signal.aborted) {
    if (document.visibilityState === 'hidden')
      await new Promise((shown) =>
        document.addEventListener('visibilitychange', shown, { signal, once: true }),
      )
    const shown = new AbortController()
    const close = () => shown.abort()
    document.addEventListener('visibilitychange', close, { signal: shown.signal })
    signal.addEventListener('abort', close, { signal: shown.signal })
    await read(shown.signal)
  }
}
