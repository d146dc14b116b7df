import type { Delta } from '#contract/changes.ts'
import { todayHere } from '#contract/days.ts'
import type { Write } from '../api/client.ts'
import type { Needs } from './needs.ts'
import type { Parts } from './parts.ts'
import { type Answer, itemsIn, summarized } from './store/known-items.ts'

/** Milliseconds without a byte after which a connection counts as lost: the server sends a heartbeat every 15 seconds. */
const longestSilence = 45_000

/** Milliseconds after which a connection counts as working: its end is not a further failure. */
const lasting = 60_000

/** The end of a working stream counts as so many failures: with 2, the pages of a stopped server return within two seconds. */
const endOfStream = 2

/**
 * Follows the changes of all tabs and devices until the signal is aborted. The stream says when there are changes;
 * coming back to the page and a restored connection ask for them if the stream has been silent.
 */
export function followChanges(parts: Parts, signal: AbortSignal) {
  const { needs, replication } = parts
  const { account, afterWrites, call, onCursor, onWake, untilDone, wait } = needs
  if (account === undefined) return
  let lastSign = Number.NEGATIVE_INFINITY

  const onEvent = (cursor?: string) => {
    lastSign = performance.now()
    if (cursor === undefined) replication.onHeartbeat()
    // It may be that of a write whose answer has the change.
    else afterWrites(() => replication.onCursor(cursor))
  }
  const begin = shareStream(needs, onEvent, signal)
  const fetchOnce = async (since: string | undefined) =>
    (await call('GET /changes', { query: since === undefined ? {} : { since }, signal })).data
  const fetch = (since: string | undefined) => untilDone(() => fetchOnce(since), signal)
  const start = () => {
    if (signal.aborted) return
    const stop = replication.start({ begin, fetch, wait: (failures) => wait(failures, signal) })
    signal.addEventListener('abort', stop)
  }
  // The log continues from the cursor that the device has kept.
  followDevice(parts, account, signal).finally(start)
  const listen = (cursor: string, write?: Write) =>
    replication.answered(cursor, write && { before: write.before, delta: deltaOf(write.data, cursor) })
  signal.addEventListener('abort', onCursor(listen))
  onWake(() => performance.now() - lastSign > longestSilence && replication.refresh(), signal)
}

/** The answer to a write as `GET /changes` would return it to a page that has all changes before. */
function deltaOf(data: Write['data'], cursor: string): Delta {
  const { tasks = [], texts = [] }: Answer = 'task' in data ? { tasks: [data.task] } : itemsIn(data.items)
  const items = [
    ...tasks.map((item) => ({ kind: 'task' as const, item })),
    ...texts.map((note) => ({ kind: 'note' as const, item: summarized(note) })),
  ]
  return { items, cursor, more: false }
}

async function followDevice(parts: Parts, account: string, signal: AbortSignal) {
  const { needs, connection, device } = parts
  if (!needs.device) return connection.sayUnstored()
  const { database, begin } = needs.device
  await begin(async (isEmpty) => {
    const { keepOnDevice } = await import('./store/device.ts')
    device.resolve(await keepOnDevice({ ...parts, database, account, today: todayHere }, isEmpty, signal))
  }, signal).catch(console.warn)
}

/** Takes a cursor that the stream has sent. Without one, it was a heartbeat. */
type OnEvent = (cursor?: string) => void

/** What the tab that reads the stream tells the others, or that a person looks at a tab. */
type Message = { cursor?: string | undefined; isShown?: true }

/**
 * One stream for all tabs of the browser that show the same account: the tab that holds the lock reads it and passes its
 * events to the others. When that tab closes, the next one gets the lock. Returns the function that waits for the lock and then reads
 * the stream.
 */
export function shareStream(needs: Needs, onEvent: OnEvent, signal: AbortSignal) {
  const { account, isVisible, locks, on, openChannel, tell } = needs
  const name = `daymark-changes ${account}`
  const channel = openChannel(name)
  channel.onmessage = ({ data: { cursor, isShown } }: MessageEvent<Message>) => {
    if (isShown) tell('other tab shown')
    else onEvent(cursor)
  }
  signal.addEventListener('abort', () => channel.close())

  const post = (message: Message) => signal.aborted || channel.postMessage(message)
  // The tab that holds the lock may be hidden and wait for its next attempt.
  on(['focus', 'shown'], () => isVisible() && post({ isShown: true }), signal)
  const tellAll = (cursor?: string) => {
    onEvent(cursor)
    post({ cursor })
  }
  const read = (until: AbortSignal) => readStream(needs, tellAll, until)

  return async () => {
    // A page that is not secure has no locks.
    if (locks) await locks.request(name, { signal }, () => read(signal)).catch(() => {})
    else await readWhileVisible(needs, read, signal)
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

/** Reads the stream of changes, and connects again when it ends or is answered with something else. Returns when aborted. */
export async function readStream(needs: Needs, onEvent: OnEvent, signal: AbortSignal) {
  let failures = endOfStream - 1
  // A change of network ends the connection, and is no failure of the server.
  needs.on(
    ['online'],
    () => {
      failures = 0
    },
    signal,
  )
  while (!signal.aborted) {
    const start = performance.now()
    // No failure is final: any network on the way can have answered. The end of the session ends the page.
    await readOnce(needs, onEvent, signal).catch(() => {})
    failures = performance.now() - start > lasting ? endOfStream : failures + 1
    if (!signal.aborted) await needs.wait(failures, signal)
  }
}

async function readOnce({ on, openStream }: Needs, onEvent: OnEvent, signal: AbortSignal) {
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
      onEvent(parts.findLast((part) => part.startsWith('data: '))?.slice('data: '.length))
    }
  } finally {
    clearTimeout(silence)
    end()
  }
}
