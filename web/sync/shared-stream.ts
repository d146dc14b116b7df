import { type Events, readStream } from './event-stream.ts'

type Message = { cursor?: string; isAfterGap?: boolean }

/**
 * One stream for all tabs of the browser that show the same account: the tab that holds the lock reads it and passes its
 * events to the others. When that tab closes, the next one gets the lock.
 */
export function shareStream(account: string, { onCursor, onHeartbeat }: Events, signal: AbortSignal) {
  const name = `daymark-changes ${account}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data: { cursor, isAfterGap = false } }: MessageEvent<Message>) =>
    cursor === undefined ? onHeartbeat() : onCursor(cursor, isAfterGap)
  signal.addEventListener('abort', () => channel.close())

  const post = (message: Message) => signal.aborted || channel.postMessage(message)
  const read = () =>
    readStream(
      {
        onCursor(cursor, isAfterGap) {
          onCursor(cursor, isAfterGap)
          post({ cursor, isAfterGap })
        },
        onHeartbeat() {
          onHeartbeat()
          post({})
        },
      },
      signal,
    )

  return {
    /** Waits for the lock and then reads the stream. Without locks (a page that is not secure), reads it at once. */
    async begin() {
      if (!navigator.locks) return await read()
      const until = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await navigator.locks
        .request(name, { signal }, async () => {
          await read()
          // After a rejection no other tab tries the same.
          await until
        })
        .catch(() => {})
    },
  }
}
