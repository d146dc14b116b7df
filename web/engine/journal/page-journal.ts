import { problemFrom } from '../../api/client.ts'
import { randomId } from '../../api/random-id.ts'
import { entryIn } from '../entry.ts'
import { type Unsent, unsentIn } from '../kept/unsent-storage.ts'
import type { Needs } from '../needs.ts'
import type { Connection } from '../store/page-connection.ts'
import type { Fetching } from '../store/task-lists.ts'
import type { Answered, JournalStorage } from './entries.ts'
import { createJournal } from './journal.ts'

/** The calls by which changes reach the server. If their code cannot be loaded, the server cannot be reached. */
export const loadWays = (fetching: Fetching) =>
  import('./ways.ts').then(({ createWays }) => createWays(fetching), fetching.needs.throwUnreachable)

/** The journal of the dashboard, whose changes the server gets. */
export function createPageJournal(fetching: Fetching & { unsent: Unsent; connection: Connection }) {
  const { needs, unsent, connection } = fetching
  const { account, isVisible, locks, now, onWake, wait } = needs
  const { outdated } = connection
  return createJournal(fetching.store, {
    storage: localJournalStorage(unsent, needs),
    async send(requests) {
      try {
        const { send } = await loadWays(fetching)
        const results = await send(requests)
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

/** Keeps the entries of an account in local storage. */
export function localJournalStorage(unsent: Unsent, { onStored }: Pick<Needs, 'onStored'>): JournalStorage {
  const prefix = unsent.key('outbox')
  return {
    read: () => unsent.under<Answered>(prefix).map(([, entry]) => entryIn(entry)),
    get(mutation) {
      const entry = unsent.at<Answered>(prefix + mutation)
      return entry && entryIn(entry)
    },
    write: (entry) => unsent.keep(prefix + entry.mutation, entry),
    remove: (mutation) => unsent.drop(prefix + mutation),
    follow(wrote, removed) {
      const left = new AbortController()
      onStored(({ key, newValue }) => {
        if (!key?.startsWith(prefix)) return
        const entry = unsentIn<Answered>(key, newValue)
        if (newValue === null) removed(key.slice(prefix.length))
        else if (entry) wrote(entryIn(entry))
      }, left.signal)
      return () => left.abort()
    },
  }
}
