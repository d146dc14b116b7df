import type { Delta } from '#contract/changes.ts'
import { todayHere } from '#contract/days.ts'
import type { Write } from '../../api/client.ts'
import type { Needs } from '../needs.ts'
import type { Parts } from '../parts.ts'
import { longestSilence } from '../sync/event-stream.ts'
import { shareStream } from '../sync/shared-stream.ts'
import { type Answer, itemsIn, summarized } from './known-items.ts'

/** The code of the device, which a page can load before it is hydrated. */
export const loadDevice = () => import('./device.ts')

/**
 * Follows the changes of all tabs and devices until the signal is aborted. The stream says when there are changes;
 * coming back to the page and a restored connection ask for them if the stream has been silent.
 */
export function followChanges(parts: Parts, signal: AbortSignal) {
  const { needs, replication } = parts
  const { account, afterWrites, onCursor, onWake, wait } = needs
  if (account === undefined) return
  let lastSign = Number.NEGATIVE_INFINITY
  const recordSign = () => {
    lastSign = performance.now()
  }

  const stream = shareStream(
    needs,
    {
      onCursor(cursor) {
        recordSign()
        // It may be that of a write whose answer has the change.
        afterWrites(() => replication.onCursor(cursor))
      },
      onHeartbeat() {
        recordSign()
        replication.onHeartbeat()
      },
    },
    signal,
  )
  const start = () => {
    if (signal.aborted) return
    const stop = replication.start({
      begin: stream.begin,
      fetch: (since) => fetchChanges(needs, since, signal),
      wait: (failures) => wait(failures, signal),
    })
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

/** Fills the store from the device, and keeps it there. */
async function followDevice(parts: Parts, account: string, signal: AbortSignal) {
  const { needs, connection, device } = parts
  if (!needs.device) return connection.sayUnstored()
  const { database, begin } = needs.device
  await begin(async (isEmpty) => {
    const { keepOnDevice } = await loadDevice()
    device.resolve(await keepOnDevice({ ...parts, database, account, today: todayHere }, isEmpty, signal))
  }, signal).catch(console.warn)
}

/** Fetches the changes after a cursor. */
const fetchChanges = (
  { call, untilDone }: Needs,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Delta> =>
  untilDone(
    async () => (await call('GET /changes', { query: since === undefined ? {} : { since }, signal })).data,
    signal,
  )
