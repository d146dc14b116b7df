import type { Delta } from '#contract/changes.ts'
import { afterWrites, call, onCursor, type Write } from '../../api/client.ts'
import { ownAccount } from '../../api/session.ts'
import { longestSilence } from '../sync/event-stream.ts'
import { onWake, untilDone, waitToRetry } from '../sync/retry-delay.ts'
import { shareStream } from '../sync/shared-stream.ts'
import { deltaOf } from './answers.ts'
import type { Device } from './device.ts'
import { sayUnstored } from './page-connection.ts'
import type { Replication } from './replication.ts'
import type { Store } from './store.ts'

/** The parts of the dashboard that follow the changes. */
type Followers = { store: Store; replication: Replication; device: PromiseWithResolvers<Device> }

/** Loaded before the page is hydrated if there is something on the device. */
const loadDevice = () => import('./device.ts')
if (globalThis.navigator?.serviceWorker?.controller) loadDevice().catch(() => {})

/**
 * Follows the changes of all tabs and devices. Returns the function that stops it. The stream says when there are changes;
 * coming back to the page and a restored connection ask for them if the stream has been silent.
 */
export function followChanges(followers: Followers, today: () => string) {
  const { replication } = followers
  const account = ownAccount()
  if (account === undefined) return () => {}
  const controller = new AbortController()
  const { signal } = controller
  let lastSign = Number.NEGATIVE_INFINITY
  let hasBegun = false
  const recordSign = () => {
    lastSign = performance.now()
  }

  const stream = shareStream(
    account,
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
      fetch: (since) => fetchChanges(since, signal),
      wait: (failures) => waitToRetry(failures, signal),
    })
    signal.addEventListener('abort', stop)
  }
  // The log continues from the cursor that the device has kept.
  followDevice(followers, { account, today, signal }).finally(start)
  const listen = (cursor: string, write?: Write) =>
    replication.answered(cursor, write && { before: write.before, delta: deltaOf(write.data, cursor) })
  signal.addEventListener('abort', onCursor(listen))
  onWake(() => performance.now() - lastSign > longestSilence && replication.refresh(), signal)

  return () => controller.abort()
}

/**
 * Fills the store from the device, and keeps it there while there is a service worker: without one the dashboard does not
 * open offline either. A server with `OFFLINE=off` removes the worker.
 */
async function followDevice(
  { store, replication, device }: Followers,
  { account, today, signal }: { account: string; today: () => string; signal: AbortSignal },
) {
  // Without HTTPS there is none.
  const worker = navigator.serviceWorker
  if (!worker) return sayUnstored()
  const follow = async (isEmpty: boolean) => {
    const { keepOnDevice } = await loadDevice()
    device.resolve(await keepOnDevice({ account, store, replication, today }, isEmpty, signal))
  }
  if (worker.controller) await follow(true).catch(console.warn)
  else
    worker.addEventListener('controllerchange', () => follow(false).catch(console.warn), {
      once: true,
      signal,
    })
}

/** Fetches the changes after a cursor. */
const fetchChanges = (since: string | undefined, signal: AbortSignal): Promise<Delta> =>
  untilDone(
    async () => (await call('GET /changes', { query: since === undefined ? {} : { since }, signal })).data,
    signal,
  )
