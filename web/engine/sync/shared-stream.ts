import type { Needs } from '../needs.ts'
import { type Events, readStream } from './event-stream.ts'

/** A cursor, that a person looks at the tab, or without both, a heartbeat. */
type Message = { cursor?: string; isShown?: true }

/**
 * One stream for all tabs of the browser that show the same account: the tab that holds the lock reads it and passes its
 * events to the others. When that tab closes, the next one gets the lock.
 */
export function shareStream(needs: Needs, { onCursor, onHeartbeat }: Events, signal: AbortSignal) {
  const { account, isVisible, locks, on, openChannel, tell } = needs
  const name = `daymark-changes ${account}`
  const channel = openChannel(name)
  channel.onmessage = ({ data: { cursor, isShown } }: MessageEvent<Message>) => {
    if (isShown) tell('other tab shown')
    else if (cursor === undefined) onHeartbeat()
    else onCursor(cursor)
  }
  signal.addEventListener('abort', () => channel.close())

  const post = (message: Message) => signal.aborted || channel.postMessage(message)
  // The tab that holds the lock may be hidden and wait for its next attempt.
  on(['focus', 'shown'], () => isVisible() && post({ isShown: true }), signal)
  const read = (until: AbortSignal) =>
    readStream(
      needs,
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
      if (!locks) return await readWhileVisible(needs, read, signal)
      await locks.request(name, { signal }, () => read(signal)).catch(() => {})
    },
  }
}

/** A browser has only six connections to a server without HTTPS, so tabs in the background close their streams. */
async function readWhileVisible(
  { isVisible, on }: Needs,
  read: (until: AbortSignal) => Promise<void>,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const shown = new AbortController()
    const close = () => shown.abort()
    signal.addEventListener('abort', close, { signal: shown.signal })
    if (!isVisible()) await new Promise<void>((resolve) => on(['shown'], resolve, shown.signal))
    on(['hidden'], close, shown.signal)
    await read(shown.signal)
  }
}
