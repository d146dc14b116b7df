import { pageSize } from '#contract/limits.ts'
import { type ListName, listNames } from '#contract/lists.ts'
import { type Item, randomId } from '../entry.ts'
import type { Needs } from '../needs.ts'
import { complete, createDeviceDatabase, keptForm, type State, type Transaction } from './device-database.ts'
import { createDeviceTexts } from './device-texts.ts'
import { createTextFetcher } from './fetched-texts.ts'
import { noteRule, type Rule, taskRule } from './item-rules.ts'
import type { Connection } from './page-connection.ts'
import { type Replication, seqOf } from './replication.ts'
import type { Store } from './store.ts'

export type Device = ReturnType<typeof createDevice>

type DeviceOptions = {
  database: string
  account: string
  store: Store
  replication: Pick<Replication, 'cursor' | 'hasPassed' | 'wasReset' | 'resume'>
  today: () => string
  /** The numbers of items that are read and written at once, so that no task of the page takes long. */
  atOnce?: { read: number; written: number }
}

/**
 * Whether a page could not write, because another page has begun to write, or because another account has taken the place of
 * this one.
 */
class LostPlace extends Error {}

/**
 * Keeps the replica of an account in IndexedDB. A page that ends between two transactions leaves a state that the log
 * continues: items are never older than the cursor beside them.
 */
export function createDevice({
  database: name,
  account,
  store,
  replication,
  today,
  atOnce = { read: 500, written: 250 },
}: DeviceOptions) {
  const writer = randomId()
  const database = createDeviceDatabase(name, account, () => texts.close())
  const texts = createDeviceTexts(database, store)
  const { open, isOwn } = database

  /** Runs one transaction of writes, if no other page has begun to write. */
  async function write(work: (transaction: Transaction, state: State) => Promise<unknown>[]) {
    const transaction = (await open()).transaction(['items', 'texts', 'state'], 'readwrite')
    const state = await transaction.objectStore('state').get('state')
    if (!isOwn(state) || state.writer !== writer) throw new LostPlace()
    await complete(transaction, () => work(transaction, state))
  }

  /**
   * Begins to write the items of this page up to a cursor. Until all are written, a page that is filled from the device asks the server
   * whether it still has that cursor: after a restore, those that were written would be newer than the server. Returns the stored cursor;
   * without one, all items must be stored again.
   */
  async function begin(upTo?: string): Promise<string | undefined> {
    const transaction = (await open()).transaction(['items', 'texts', 'state'], 'readwrite')
    const held = await transaction.objectStore('state').get('state')
    const isMine = isOwn(held)
    const isKnown = isMine && held.cursor !== undefined && replication.hasPassed(held.cursor)
    const empty = { account, page: keptForm, writer, first: [], texts: isMine ? held.texts : {} }
    await complete(transaction, () => [
      !isKnown && transaction.objectStore('items').clear(),
      !isMine && transaction.objectStore('texts').clear(),
      transaction
        .objectStore('state')
        .put(isKnown ? { ...held, writer, cursor: unfinished(held.cursor, upTo) } : empty, 'state'),
    ])
    return isKnown ? held.cursor : undefined
  }

  async function save() {
    const { cursor } = replication
    if (database.isClosed || cursor === undefined) return
    if (!(await isStored(cursor))) await saveItems(cursor)
    await texts.save()
  }

  async function saveItems(cursor: string) {
    const stored = await begin(cursor)
    const since = stored === undefined ? -1 : seqOf(stored)
    const items = [...store.replica.values()].filter(({ version }) => version > since)
    const purged = [...store.gone].flatMap(([id, at]) => (at > since ? [id] : []))
    for (let from = 0; from < items.length; from += atOnce.written)
      await write((transaction) =>
        items.slice(from, from + atOnce.written).map((item) => transaction.objectStore('items').put(item)),
      )
    const first = await firstOfLists([...store.replica.values()], today())
    await write((transaction, state) => [
      ...purged.flatMap((id) => [
        transaction.objectStore('items').delete(id),
        transaction.objectStore('texts').delete(id),
      ]),
      transaction.objectStore('state').put({ ...state, cursor, first }, 'state'),
    ])
  }

  /** Whether a page has stored this, or something newer, which the log will return to this page too. */
  async function isStored(cursor: string): Promise<boolean> {
    const held = await (await open()).get('state', 'state')
    if (!isOwn(held) || held.cursor === undefined) return false
    const isAhead = !replication.hasPassed(held.cursor) && seqOf(held.cursor) > seqOf(cursor)
    return held.cursor === cursor || (isAhead && !replication.wasReset())
  }

  /** Fills the store: the first page of each list at once, then all others in parts. */
  async function load() {
    // Everything is read in one transaction, so that no page writes in between.
    const transaction = (await open()).transaction(['items', 'state'])
    const state = await transaction.objectStore('state').get('state')
    // Of another account, or of a build that stored other fields.
    if (state && !isOwn(state)) await begin()
    if (!isOwn(state) || state.cursor === undefined) return
    const items = transaction.objectStore('items')
    const { cursor } = state
    const fill = (kept: readonly Item[]) => store.follow({ items: kept }, seqOf(cursor))
    const first = await Promise.all(state.first.map((id) => items.get(id)))
    if (database.isClosed) return
    fill(first.flatMap((item) => item ?? []))
    store.complete(false)
    for (let after = ''; ; ) {
      const part = await items.getAll(IDBKeyRange.lowerBound(after, true), atOnce.read)
      if (database.isClosed) return
      fill(part)
      if (part.length < atOnce.read) break
      after = part.at(-1)?._id ?? ''
    }
    replication.resume(cursor)
  }

  return { load, save, close: database.close, texts }
}

/** A cursor of the log. Some of the changes up to `upTo` were read or stored. */
const unfinished = (cursor = '', upTo = '') =>
  `${cursor.split('.', 2).join('.')}.${upTo.split('.', 2).join('.')}`

/** How long changes are collected before they are stored, in milliseconds. */
const collectedFor = 1000

/** Fills the store, if nothing else has, and then stores its changes until the signal is aborted. */
export async function keepOnDevice(
  options: DeviceOptions & { needs: Needs; connection: Connection },
  isEmpty: boolean,
  signal: AbortSignal,
) {
  const { store, needs, connection, database } = options
  const device = createDevice(options)
  if (isEmpty) await device.load().catch(console.warn)
  const fetchTexts = createTextFetcher(device.texts, options, signal)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = store.subscribe(() => {
    timer ??= setTimeout(save, collectedFor)
  })
  function end() {
    clearTimeout(timer)
    stop()
    device.close()
  }
  async function save() {
    timer = undefined
    // A page that was frozen during a logout or another login stores nothing for its account.
    if (needs.isOver()) return end()
    try {
      // One page at a time. Those after it find that all is stored.
      await needs.locks?.request(`${database}-device`, { signal }, device.save)
      fetchTexts().catch((error) => signal.aborted || console.warn(error))
    } catch (error) {
      if (error instanceof LostPlace || signal.aborted) return
      // For example if there is no space: the next visit tries again.
      console.warn(error)
      connection.sayUnstored()
      end()
    }
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  else timer = setTimeout(save, collectedFor)
  return device
}

async function firstOfLists(items: readonly Item[], today: string): Promise<string[]> {
  const rules = [
    ...listNames.map((list: ListName) => taskRule(list, today)),
    noteRule(false),
    noteRule(true),
  ] as Rule<Item>[]
  const ids = new Set<string>()
  for (const rule of rules) {
    for (const { _id } of firstOf(items, rule)) ids.add(_id)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return [...ids]
}

/** The first page of a list, without sorting the rest. */
function firstOf(items: readonly Item[], { has, compare }: Rule<Item>): Item[] {
  const first: Item[] = []
  for (const item of items) {
    if (!has(item)) continue
    const last = first.at(-1)
    if (first.length === pageSize.default && last && compare(last, item) < 0) continue
    const place = first.findIndex((other) => compare(item, other) < 0)
    first.splice(place < 0 ? first.length : place, 0, item)
    if (first.length > pageSize.default) first.pop()
  }
  return first
}
