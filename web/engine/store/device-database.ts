import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { pageVersion } from '#contract/limits.ts'
import type { Note } from '#contract/notes.ts'
import type { Item } from '../entry.ts'

/** The format of stored items. It changes when this build would misread those of an earlier build. */
export const keptForm = `${pageVersion} with kinds`

/** `bytes`: the most that the text can take. `at`: when it was last opened, or 0. */
export type KeptText = { version: number; bytes: number; at: number }

/**
 * The items are as at `cursor` or newer; incomplete without it. `first`: the first page of each list. `writer`: the page that began to
 * write last, which alone continues.
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

/** The IndexedDB of the replica of an account, opened at its first use. */
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
        // Another page removes the data, for example by a logout: nothing is stored until the next visit.
        blocking: close,
        terminated: close,
      })
      // Safari may never open a database.
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
    isOwn: (state: State | undefined): state is State =>
      state?.account === account && state.page === keptForm,
  }
}

/** Makes all of these writes or none. */
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
