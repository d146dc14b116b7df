import type { Needs } from '../needs.ts'

/** Milliseconds without a byte after which a connection counts as lost: the server sends a heartbeat every 15 seconds. */
export const longestSilence = 45_000

/** Milliseconds after which a connection counts as working: its end is not a further failure. */
const lasting = 60_000

/** The number of failures for which the end of a working stream counts: with 2, the pages of a stopped server return within two seconds. */
const endOfStream = 2

export type Events = {
  onCursor: (cursor: string) => void
  onHeartbeat: () => void
}

type Parts = Pick<Needs, 'on' | 'openStream' | 'wait'>

/** Reads the stream of changes, and connects again when it ends or is answered with something else. Returns when aborted. */
export async function readStream(needs: Parts, events: Events, signal: AbortSignal) {
  let failures = endOfStream - 1
  while (!signal.aborted) {
    const start = performance.now()
    // No failure is final: any network on the way can have answered. The end of the session ends the page.
    await readOnce(needs, events, signal).catch(() => {})
    failures = performance.now() - start > lasting ? endOfStream : failures + 1
    if (!signal.aborted) await needs.wait(failures, signal)
  }
}

async function readOnce({ on, openStream }: Parts, { onCursor, onHeartbeat }: Events, signal: AbortSignal) {
  const connection = new AbortController()
  const end = () => connection.abort()
  signal.addEventListener('abort', end, { signal: connection.signal })
  // After a change of network the old connection may be lost without an error.
  on(['online', 'offline'], end, connection.signal)
  let silence = setTimeout(end, longestSilence)
  try {
    const body = await openStream('GET /changes/stream', connection.signal)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(silence)
      silence = setTimeout(end, longestSilence)
      const parts = (text + chunk.value).split('\n\n')
      text = parts.pop() ?? ''
      // Only the newest cursor matters.
      const cursor = parts.findLast((part) => part.startsWith('data: '))?.slice('data: '.length)
      if (cursor === undefined) onHeartbeat()
      else onCursor(cursor)
    }
  } finally {
    clearTimeout(silence)
    end()
  }
}
