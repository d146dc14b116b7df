import type { ChangeResults } from '#contract/changes.ts'
import { createListeners } from '../../api/listeners.ts'
import {
  type Change,
  differences,
  type Entry,
  entryIn,
  type Item,
  itemsOfEntry,
  nameOf,
  type Values,
  withChange,
} from '../entry.ts'
import { type Unsent, unsentIn } from '../kept/unsent-storage.ts'
import type { Needs } from '../needs.ts'
import type { Store } from '../store/store.ts'

export type Result = ChangeResults['items'][number]

export type Answered = Entry & { answer?: Result[] }

/** An entry, its item before (`over`) and after (`changed`), and the values that differ. */
export type Made = {
  entry: Entry
  over: Item | undefined
  changed: Item | undefined
  before: Values
  after: Values
}

export type JournalStorage = {
  read(): Answered[]
  get(mutation: string): Answered | undefined
  write(entry: Answered): boolean
  remove(mutation: string): void
  follow(wrote: (entry: Answered) => void, removed: (mutation: string) => void, signal: AbortSignal): void
}

export type Entries = ReturnType<typeof createEntries>

/** The entries of the journal, on the device and in this tab. The store shows them over the server's items. */
export function createEntries(store: Store, storage: JournalStorage) {
  const entries = new Map<string, Entry>()
  /** The mutations of entries that the device could not store as they are now. */
  const unstored = new Set<string>()
  const { tell, subscribe } = createListeners()
  let inOrder: readonly Entry[] = []

  function show(changed: readonly Entry[]) {
    inOrder = [...entries.values()].sort(compareByOrder)
    store.layer(layersOf(changed.flatMap(itemsOfEntry), inOrder))
    tell()
  }

  function take(taken: readonly Entry[]) {
    for (const entry of taken) entries.set(entry.mutation, entry)
    show(taken)
  }

  /** Stores entries if the device has space, and shows them in any case. */
  function put(added: readonly Entry[]) {
    for (const entry of added)
      if (storage.write(entry)) unstored.delete(entry.mutation)
      else unstored.add(entry.mutation)
    take(added)
  }

  /** Stores and shows new entries. Returns false, and keeps none, if the device has no space for one of them. */
  function add(added: readonly Entry[]): boolean {
    const isStored = added.every((entry) => storage.write(entry))
    if (isStored) take(added)
    else for (const { mutation } of added) storage.remove(mutation)
    return isStored
  }

  function forget(mutations: readonly string[]) {
    const forgotten = mutations.flatMap((mutation) => entries.get(mutation) ?? [])
    for (const mutation of mutations) {
      entries.delete(mutation)
      unstored.delete(mutation)
    }
    if (forgotten.length > 0) show(forgotten)
  }

  const held = (mutation: string): Entry | undefined =>
    unstored.has(mutation) ? entries.get(mutation) : storage.get(mutation)

  return {
    take,
    add,
    put,
    forget,
    tell,

    get: (mutation: string) => entries.get(mutation),
    /** An entry on the device: another tab may have sent or removed it. */
    held,
    named: (name: string): Entry[] =>
      inOrder.filter((entry) => nameOf(entry) === name).flatMap(({ mutation }) => held(mutation) ?? []),

    drop(dropped: readonly Entry[]) {
      for (const { mutation } of dropped) storage.remove(mutation)
      forget(dropped.map(({ mutation }) => mutation))
    },

    /** Stores the server's result, so that other tabs show it and not the state before. */
    share(entry: Answered) {
      // With a full storage, they get it from the log.
      if (!unstored.has(entry.mutation)) storage.write(entry)
    },

    /** Compares this tab with the device: what other tabs have added, and the mutations that they have removed. */
    read(): { added: Answered[]; removed: string[] } {
      const stored = new Map(storage.read().map((entry) => [entry.mutation, entry]))
      const own = new Set(inOrder.map(({ mutation }) => mutation))
      const removed = [...own].filter((mutation) => !unstored.has(mutation) && !stored.has(mutation))
      const added = [...stored.values()].filter(({ answer, mutation }) => answer || !own.has(mutation))
      return { added, removed }
    },

    /** Oldest first. The array is the same until an entry changes. */
    inOrder: () => inOrder,
    unstored: () => unstored.size,
    subscribe,
  }
}

const compareByOrder = (one: Entry, other: Entry) =>
  one.order - other.order || (one.mutation < other.mutation ? -1 : 1)

function layersOf(items: readonly string[], entries: readonly Entry[]) {
  const layers = new Map(items.map((item) => [item, [] as Entry[]]))
  for (const entry of entries) for (const item of itemsOfEntry(entry)) layers.get(item)?.push(entry)
  return layers
}

export function madeOf(change: Change & Omit<Entry, 'was' | 'item'>, over: Item | undefined): Made {
  const changed = withChange(over, { ...change, was: over && {} })
  const before = differencesOf(over, changed)
  // A tick needs no earlier text: it is applied to the body of that time.
  const was = over && ('set' in change ? before : {})
  return { entry: { ...change, was }, over, changed, before, after: differencesOf(changed, over) }
}

/** Undoing or redoing a creation shows the item as deleted or not. */
function differencesOf(item: Item | undefined, other: Item | undefined): Values {
  if (item && other) return differences(item, other)
  return { deletedAt: item ? null : new Date().toISOString() }
}

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
    follow(wrote, removed, signal) {
      onStored(({ key, newValue }) => {
        if (!key?.startsWith(prefix)) return
        const entry = unsentIn<Answered>(key, newValue)
        if (newValue === null) removed(key.slice(prefix.length))
        else if (entry) wrote(entryIn(entry))
      }, signal)
    },
  }
}
