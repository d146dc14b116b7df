import { storedAccount } from '../api/session.ts'
import type { OutboxStorage } from './outbox-entries.ts'

/** Keeps the entries of an account in local storage, each under a key of its own, so that tabs do not overwrite each other's. */
export function localOutboxStorage(account: string | undefined): OutboxStorage {
  const prefix = `outbox ${account} `
  return {
    read: () =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith(prefix))
        .map((key) => JSON.parse(localStorage.getItem(key) ?? 'null')),
    get: (mutation) => JSON.parse(localStorage.getItem(prefix + mutation) ?? 'null') ?? undefined,
    write(entry) {
      // After a logout, or another login, nothing is kept for this account.
      if (storedAccount() === account) localStorage.setItem(prefix + entry.mutation, JSON.stringify(entry))
    },
    remove: (mutation) => localStorage.removeItem(prefix + mutation),
    follow(wrote, removed) {
      const look = ({ key, newValue }: StorageEvent) => {
        if (!key?.startsWith(prefix)) return
        if (newValue === null) removed(key.slice(prefix.length))
        else wrote(JSON.parse(newValue))
      }
      window.addEventListener('storage', look)
      return () => window.removeEventListener('storage', look)
    },
  }
}
