import type { Call } from '#contract/api.ts'
import { problemFrom } from '../../api/client.ts'
import { randomId } from '../../api/random-id.ts'
import { type Entry, titleIn } from '../entry.ts'
import type { ItemSet } from '../items.ts'
import type { Unsent } from '../kept/unsent-storage.ts'
import type { Needs } from '../needs.ts'
import { postTask } from '../specified-calls.ts'
import { confirmed, isGone, throwIfUnsupported } from '../store/change-errors.ts'
import type { Connection } from '../store/page-connection.ts'
import type { Store } from '../store/store.ts'
import { type Fetching, reloadLists } from '../store/task-lists.ts'
import type { Result } from './entries.ts'
import { createJournal } from './journal.ts'
import type { Request } from './requests.ts'
import { localJournalStorage } from './storage.ts'

/** The journal of the dashboard, whose changes the server gets. */
export function createPageJournal(fetching: Fetching & { unsent: Unsent; connection: Connection }) {
  const { needs, unsent, connection } = fetching
  const { account, isVisible, locks, now, onWake, wait } = needs
  const { outdated } = connection
  return createJournal(fetching.store, {
    storage: localJournalStorage(unsent, needs),
    async send(requests) {
      try {
        const results = await send(fetching, requests)
        outdated.setState(false, true)
        return results
      } catch (error) {
        outdated.setState(problemFrom(error)?.status === 412, true)
        throw error
      }
    },
    async exclusively(work, signal) {
      if (locks) return await locks.request(`daymark-outbox ${account}`, { signal }, work)
      // A page that is not secure has no locks, so tabs in the background do not send.
      while (!isVisible() && !signal.aborted)
        await new Promise((shown) => onWake(() => shown(undefined), signal))
      await work()
    },
    wait,
    newId: randomId,
    now,
  })
}

async function send(fetching: Fetching, requests: Request[]): Promise<Result[][]> {
  const [first] = requests
  if (first && 'undo' in first) return [await undo(fetching.needs, first.mutation, first.undo)]
  const changes = requests.flatMap((request) => ('set' in request ? [request] : []))
  try {
    return (await postChanges(fetching.needs, changes)).map((result) => [result])
  } catch (error) {
    const [only] = changes
    const isAddition = only?.base === undefined && only?.set.title !== undefined
    if (!isGone(error) || !isAddition || changes.length > 1) throwIfUnsupported(error)
    return [await add(fetching, only.mutation, only.set)]
  }
}

/** Sends changes, and returns their results. With `keepalive`, also while the page closes. */
export async function postChanges(
  { call }: Pick<Needs, 'call'>,
  changes: Call<'POST /changes'>['body']['changes'],
  keepalive = false,
) {
  const signal = timeoutOf(JSON.stringify(changes).length)
  return confirmed(await call('POST /changes', { body: { changes }, keepalive, signal })).data.items
}

/** A connection that ended without notice stays open for many minutes. A slow one needs time for long texts. */
const timeoutOf = (length: number) => AbortSignal.timeout(20_000 + length)

async function undo(
  { call }: Needs,
  mutation: string,
  { seq, isGroup = false }: { seq: number; isGroup?: boolean },
) {
  const { data } = confirmed(
    await call('POST /changes/:seq/undo', {
      params: { seq },
      headers: { 'idempotency-key': mutation },
      ...(isGroup && { query: { group: true } }),
      signal: timeoutOf(0),
    }),
  )
  return data.items
}

/** Adds a task where the server knows the specification alone. Its answer may contain nothing, so the open list is fetched again. */
async function add(fetching: Fetching, mutation: string, set: ItemSet) {
  await postTask(fetching.needs, mutation, set)
  await reloadLists(fetching, timeoutOf(0)).catch(console.error)
  return []
}

/**
 * The title of the item of an unsent change. If the item is no longer known, it is what the change says of the item, which may be nothing.
 */
export function titleOf(store: Store, entry: Entry): string {
  const item = store.current(entry.item)
  return item ? item.title || 'Untitled' : titleIn(entry)
}
