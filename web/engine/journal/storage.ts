import { dropUnsent, keepUnsent, unsentAt, unsentIn, unsentKey, unsentUnder } from '../kept/unsent-storage.ts'
import type { Answered, JournalStorage } from './entries.ts'

/** Keeps the entries of an account in local storage. */
export function localJournalStorage(account: string | undefined): JournalStorage {
  const prefix = unsentKey('outbox', account)
  return {
    read: () => unsentUnder<Answered>(prefix).map(([, entry]) => entry),
    get: (mutation) => unsentAt(prefix + mutation),
    write: (entry) => keepUnsent(prefix + entry.mutation, entry),
    remove: (mutation) => dropUnsent(prefix + mutation),
    follow(wrote, removed) {
      const look = ({ key, newValue }: StorageEvent) => {
        if (!key?.startsWith(prefix)) return
        const entry = unsentIn<Answered>(key, newValue)
        if (newValue === null) removed(key.slice(prefix.length))
        else if (entry) wrote(entry)
      }
      window.addEventListener('storage', look)
      return () => window.removeEventListener('storage', look)
    },
  }
}
