import { type Unsent, unsentIn } from '../kept/unsent-storage.ts'
import type { Needs } from '../needs.ts'
import type { Answered, JournalStorage } from './entries.ts'

/** Keeps the entries of an account in local storage. */
export function localJournalStorage(unsent: Unsent, { onStored }: Pick<Needs, 'onStored'>): JournalStorage {
  const prefix = unsent.key('outbox')
  return {
    read: () => unsent.under<Answered>(prefix).map(([, entry]) => entry),
    get: (mutation) => unsent.at(prefix + mutation),
    write: (entry) => unsent.keep(prefix + entry.mutation, entry),
    remove: (mutation) => unsent.drop(prefix + mutation),
    follow(wrote, removed) {
      const left = new AbortController()
      onStored(({ key, newValue }) => {
        if (!key?.startsWith(prefix)) return
        const entry = unsentIn<Answered>(key, newValue)
        if (newValue === null) removed(key.slice(prefix.length))
        else if (entry) wrote(entry)
      }, left.signal)
      return () => left.abort()
    },
  }
}
