import type { Delta } from '#contract/changes.ts'
import type { Write } from '../../api/client.ts'
import type { Needs } from '../needs.ts'
import { longestSilence } from '../sync/event-stream.ts'
import { shareStream } from '../sync/shared-stream.ts'
import type { Device } from './device.ts'
import { type Answer, itemsIn, summarized } from './known-items.ts'
import type { Connection } from './page-connection.ts'
import type { Replication } from './replication.ts'
import type { Store } from './store.ts'

/** The parts of the engine that follow the changes. */
type Followers = {
  needs: Needs
  store: Store
  replication: Replication
  device: PromiseWithResolvers<Device>
  connection: Connection
}

/** The code of the device, which a page can load before it is hydrated. */
export const loadDevice = () => import('./device.ts')

/**
 * Follows the changes of all tabs and devices until the signal is aborted. The stream says when there are changes;
 * coming back to the page and a restored connection ask for them if the stream has been silent.
 */
export function followChanges(followers: Followers, today: () => string, signal: AbortSignal) {
  const { needs, replication } = followers
  const { account, afterWrites, onCursor, onWake, wait } = needs
  if (account === undefined) return
  let lastSign = Number.NEGATIVE_INFINITY
  let hasBegun = false
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
      begin() {
        if (!hasBegun) stream.begin()
        hasBegun = true
      },
      fetch: (since) => fetchChanges(needs, since, signal),
      wait: (failures) => wait(failures, signal),
    })
    signal.addEventListener('abort', stop)
  }
  // The log continues from the cursor that the device has kept.
  followDevice(followers, account, today, signal).finally(start)
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
async function followDevice(followers: Followers, account: string, today: () => string, signal: AbortSignal) {
  const { needs, connection, device } = followers
  if (!needs.device) return connection.sayUnstored()
  const { database, begin } = needs.device
  await begin(async (isEmpty) => {
    const { keepOnDevice } = await loadDevice()
    device.resolve(await keepOnDevice({ ...followers, database, account, today }, isEmpty, signal))
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
