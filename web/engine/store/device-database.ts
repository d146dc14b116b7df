import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { pageVersion } from '#contract/limits.ts'
import type { Note } from '#contract/notes.ts'
import type { Item } from '../entry.ts'

/** The form in which items are kept. It is raised when this build would misread those of an earlier one. */
export const keptForm = `${pageVersion} with kinds`

/** The version of a kept text, the most bytes that it can take, and when it was last opened, or 0. */
export type KeptText = { version: number; bytes: number; at: number }

/**
 * The items are those of the log at `cursor`, or newer. Without a cursor they are not complete. `first` has the ids of the
 * first page of each list. `writer`: the page that began to write last; it alone continues.
 */
export type State = {
  account: string
  page: string
  writer: string
  cursor?: string
  first: string[]
  texts: Record<string, KeptText>
}

interface Schema extends DBSchema {
  items: { key: string; value: Item }
  texts: { key: string; value: Note }
  state: { key: 'state'; value: State }
}

export type Transaction = IDBPTransaction<Schema, ('items' | 'texts' | 'state')[], 'readwrite'>

export type DeviceDatabase = ReturnType<typeof createDeviceDatabase>

/** The IndexedDB of the replica of an account, which is opened at its first use. */
export function createDeviceDatabase(name: string, account: string, onClose: () => void) {
  let database: Promise<IDBPDatabase<Schema>> | undefined
  let inTime: Promise<IDBPDatabase<Schema>> | undefined
  let isClosed = false

  function close() {
    isClosed = true
    onClose()
    database?.then((held) => held.close()).catch(() => {})
  }

  return {
    open() {
      database ??= openDB<Schema>(name, 1, {
        upgrade(created) {
          created.createObjectStore('items', { keyPath: '_id' })
          created.createObjectStore('texts', { keyPath: '_id' })
          created.createObjectStore('state')
        },
        // The data is removed, for example by a logout in another tab: nothing is stored until the next visit.
        blocking: close,
        terminated: close,
      })
      // Safari can leave a database unopened.
      inTime ??= Promise.race([
        database,
        new Promise<never>((_, reject) => setTimeout(reject, 2000, new Error('The database did not open.'))),
      ])
      return inTime
    },
    close,
    get isClosed() {
      return isClosed
    },
    /** Whether a state can be read by this page. */
    isOwn: (state: State | undefined): state is State =>
      state?.account === account && state.page === keptForm,
  }
}

/** Makes these writes, or none of them. */
export async function complete(
  transaction: { done: Promise<void>; abort: () => void },
  writes: () => (Promise<unknown> | false)[],
) {
  try {
    await Promise.all([...writes(), transaction.done])
  } catch (error) {
    transaction.done.catch(() => {})
    try {
      transaction.abort()
    } catch {
      // It has ended already.
    }
    throw error
  }
}
