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

/** An entry, and the server's result. */
export type Answered = Entry & { answer?: Result[] }

/** An entry, its item before and after it, and of both the values in which they differ. */
export type Made = {
  entry: Entry
  over: Item | undefined
  changed: Item | undefined
  before: Values
  after: Values
}

/** Where entries are kept, for all tabs of the browser. */
export type JournalStorage = {
  read(): Answered[]
  get(mutation: string): Answered | undefined
  /** Returns false if the storage is full or blocked. */
  write(entry: Answered): boolean
  remove(mutation: string): void
  /** Reports the entries that other tabs write, and the mutations of entries that they remove. */
  follow(wrote: (entry: Answered) => void, removed: (mutation: string) => void, signal: AbortSignal): void
}

export type Entries = ReturnType<typeof createEntries>

/** The entries of the journal, on the device and in this tab. The store shows them over the state of the server. */
export function createEntries(store: Store, storage: JournalStorage) {
  const entries = new Map<string, Entry>()
  /** The mutations of entries that the device could not store as they are now. Only this tab has their present state. */
  const unstored = new Set<string>()
  const { tell, subscribe } = createListeners()
  let inOrder: readonly Entry[] = []

  /** Shows the items of these entries again. */
  function show(changed: readonly Entry[]) {
    inOrder = [...entries.values()].sort(compareByOrder)
    store.layer(layersOf(changed.flatMap(itemsOfEntry), inOrder))
    tell()
  }

  /** Shows entries as another tab has stored them. */
  function take(taken: readonly Entry[]) {
    for (const entry of taken) entries.set(entry.mutation, entry)
    show(taken)
  }

  /** Stores entries on the device as far as it has space, and shows them. */
  function put(added: readonly Entry[]) {
    for (const entry of added)
      if (storage.write(entry)) unstored.delete(entry.mutation)
      else unstored.add(entry.mutation)
    take(added)
  }

  /** Stores new entries on the device and shows them. If the device has no space for one of them, none is kept and the result is false. */
  function add(added: readonly Entry[]): boolean {
    const isStored = added.every((entry) => storage.write(entry))
    if (isStored) take(added)
    else for (const { mutation } of added) storage.remove(mutation)
    return isStored
  }

  /** Removes entries that another tab has removed, and shows their items again. */
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

    /** An entry as this tab shows it. */
    get: (mutation: string) => entries.get(mutation),
    /** An entry as it is on the device: another tab may have begun to send it, or removed it. */
    held,
    /** The entries of this name, a group or one change, as they are on the device. */
    named: (name: string): Entry[] =>
      inOrder.filter((entry) => nameOf(entry) === name).flatMap(({ mutation }) => held(mutation) ?? []),

    drop(dropped: readonly Entry[]) {
      for (const { mutation } of dropped) storage.remove(mutation)
      forget(dropped.map(({ mutation }) => mutation))
    },

    /** Tells the other tabs the server's result for an entry, so that they show it and not the state before. */
    share(entry: Answered) {
      // With a full storage, they learn it from the log.
      if (!unstored.has(entry.mutation)) storage.write(entry)
    },

    /**
     * Compares this tab with the device. `added`: the entries that other tabs have stored. `removed`: the mutations of those that they have
     * removed.
     */
    read(): { added: Answered[]; removed: string[] } {
      const stored = new Map(storage.read().map((entry) => [entry.mutation, entry]))
      const own = new Set(inOrder.map(({ mutation }) => mutation))
      const removed = [...own].filter((mutation) => !unstored.has(mutation) && !stored.has(mutation))
      const added = [...stored.values()].filter(({ answer, mutation }) => answer || !own.has(mutation))
      return { added, removed }
    },

    /** All entries, oldest first. The array is the same until one of them changes. */
    inOrder: () => inOrder,
    unstored: () => unstored.size,
    subscribe,
  }
}

const compareByOrder = (one: Entry, other: Entry) =>
  one.order - other.order || (one.mutation < other.mutation ? -1 : 1)

/** The entries that change each of these items. */
function layersOf(items: readonly string[], entries: readonly Entry[]) {
  const layers = new Map(items.map((item) => [item, [] as Entry[]]))
  for (const entry of entries) for (const item of itemsOfEntry(entry)) layers.get(item)?.push(entry)
  return layers
}

/** Makes an entry of a change to this version of its item. */
export function madeOf(change: Change & Omit<Entry, 'was' | 'item'>, over: Item | undefined): Made {
  const changed = withChange(over, { ...change, was: over && {} })
  const before = differencesOf(over, changed)
  // Without the text of a body, which is ticked as it is then.
  const was = over && ('set' in change ? before : {})
  return { entry: { ...change, was }, over, changed, before, after: differencesOf(changed, over) }
}

/** The values that undoing or redoing the creation of an item shows. */
function differencesOf(item: Item | undefined, other: Item | undefined): Values {
  if (item && other) return differences(item, other)
  return { deletedAt: item ? null : new Date().toISOString() }
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
