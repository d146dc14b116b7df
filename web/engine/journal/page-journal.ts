import { randomId } from '../../api/random-id.ts'
import { ownAccount } from '../../api/session.ts'
import { entryIn } from '../entry.ts'
import { dropUnsent, keepUnsent, unsentAt, unsentIn, unsentKey, unsentUnder } from '../kept/unsent-storage.ts'
import type { Fetching } from '../store/task-lists.ts'
import { onWake, waitToRetry } from '../sync/retry-delay.ts'
import type { Answered, JournalStorage } from './entries.ts'
import { createJournal } from './journal.ts'
import { createWays } from './ways.ts'

/** The journal of the dashboard, whose changes the server gets. */
export function createPageJournal(fetching: Fetching) {
  // The prerendered page has no storage.
  const account = typeof document === 'undefined' ? undefined : ownAccount()
  return createJournal(fetching.store, {
    storage: localJournalStorage(account),
    send: createWays(fetching).send,
    async exclusively(work, signal) {
      if (navigator.locks) return await navigator.locks.request(`daymark-outbox ${account}`, { signal }, work)
      // A page that is not secure has no locks, so tabs in the background do not send.
      while (document.visibilityState !== 'visible' && !signal.aborted)
        await new Promise((shown) => onWake(() => shown(undefined), signal))
      await work()
    },
    wait: waitToRetry,
    newId: randomId,
    now: () => Date.now(),
  })
}

/** Keeps the entries of an account in local storage. */
export function localJournalStorage(account: string | undefined): JournalStorage {
  const prefix = unsentKey('outbox', account)
  return {
    read: () => unsentUnder<Answered>(prefix).map(([, entry]) => entryIn(entry)),
    get(mutation) {
      const entry = unsentAt<Answered>(prefix + mutation)
      return entry && entryIn(entry)
    },
    write: (entry) => keepUnsent(prefix + entry.mutation, entry),
    remove: (mutation) => dropUnsent(prefix + mutation),
    follow(wrote, removed) {
      const look = ({ key, newValue }: StorageEvent) => {
        if (!key?.startsWith(prefix)) return
        const entry = unsentIn<Answered>(key, newValue)
        if (newValue === null) removed(key.slice(prefix.length))
        else if (entry) wrote(entryIn(entry))
      }
      window.addEventListener('storage', look)
      return () => window.removeEventListener('storage', look)
    },
  }
}
