import type { Db } from '../database/schema.ts'
import type { HttpError } from '../errors.ts'
import type { Account } from '../sessions/account-state.ts'
import type { Values } from './field-values.ts'
import { bytesOfChange, type ItemSet, type Kept, type Kind, type Kinds } from './item-kind.ts'
import { loadedItems } from './loaded-items.ts'
import { type Author, growAccount, lockAccount } from './locked-account.ts'
import { insertChanges, newChanges, type Origin, type StoredItem } from './new-changes.ts'

/**
 * Returns the log of a user for this transaction. All writes of items use it. The log applies changes to rows in memory and
 * numbers the changes, and `save` stores them. If the caller has locked the user's row, `locked` is its account. Otherwise this
 * function locks it.
 */
export async function openLog(db: Db, kinds: Kinds, author: Author, now: number, locked?: Account) {
  const account = locked ?? (await lockAccount(db, author.userId))
  const { add, ...loaded } = loadedItems(db, kinds, author.userId)
  const created = new Set<StoredItem>()
  /** The edited items, and which of their columns were edited. */
  const edited = new Map<StoredItem, Set<string>>()
  const changes = newChanges(author, account.seq, now)
  const kept: Kept[] = []
  /** How many more items there are of each kind, and how many more bytes their rows take. */
  const growth = { items: new Map(kinds.map((kind) => [kind, 0])), bytes: 0 }
  /** How much of the growth needs no space. */
  const free = { items: 0, bytes: 0 }

  function grow(kind: Kind, items: number, bytes: number) {
    growth.items.set(kind, (growth.items.get(kind) ?? 0) + items)
    growth.bytes += bytes
  }

  return {
    account,
    ...loaded,

    /** Creates an item as of `at`, or returns undefined if a required field is missing. */
    create(kind: Kind, id: string, set: ItemSet, origin: Origin, at: number): StoredItem | undefined {
      const row = kind.create(id, set, changes.nextEdit(origin), at)
      if (!row) return undefined
      const item = { kind, row }
      add(item)
      created.add(item)
      grow(kind, 1, kind.bytesOf(row))
      changes.append(item, kind.logged, null, origin)
      return item
    },

    /**
     * Creates the successor of an item, for which there is always space. Clients may have made the same one before. A
     * deleted one is restored with these values.
     */
    addFree(kind: Kind, id: string, set: ItemSet, at: number, deleted?: StoredItem) {
      const bytes = deleted ? kind.bytesOf(deleted.row) : 0
      const item = deleted ?? this.create(kind, id, set, {}, at)
      if (!item) return
      if (deleted) this.edit(item, { ...kind.valuesOf(set, item.row, { now, at }), deleted_at: null }, {})
      free.items++
      free.bytes += kind.bytesOf(item.row) - bytes
      loaded.keep(item)
    },

    async findOrLoad(id: string, tooLarge: () => HttpError): Promise<StoredItem | undefined> {
      const ofEach = kinds.map(({ name }) => ({ id, kind: name }))
      if (!loaded.find(id)) await loaded.load(ofEach, tooLarge)
      return loaded.find(id)
    },

    /**
     * Sets the values that differ from the stored ones and logs the change. Returns whether there were any. Without any, a
     * mutation is logged too, as old values of its own that count towards the quota, so that its repeat is not applied.
     */
    edit(item: StoredItem, given: Values, origin: Origin): boolean {
      const { kind, row } = item
      const values = { ...given, ...kind.following({ ...row, ...given }) }
      const { mutation } = origin
      const fields = differing(item, values)
      if (fields.length === 0) {
        if (mutation) changes.appendSame(row.id, mutation)
        return false
      }
      const [bytes, wasDeleted] = [kind.bytesOf(row), row.deleted_at !== null]
      const { before, kept: more } = kind.edit(row, fields, values, changes.nextEdit(origin))
      grow(kind, Number(wasDeleted) - Number(row.deleted_at !== null), kind.bytesOf(row) - bytes)
      if (more) kept.push(more)
      changes.append(item, fields, before, origin)
      edited.set(item, new Set([...(edited.get(item) ?? []), ...fields]))
      return true
    },

    /** Numbers values of an item, of so many bytes, that are kept elsewhere. `save` stores them under their number. */
    number(item: string, bytes: number, store: (seq: number) => Kept['store']) {
      kept.push({ bytes: 0, store: store(changes.appendSame(item, null)) })
      growth.bytes += bytes
    },

    /**
     * Stores all changes and returns the cursors around them. Throws a 409 if the account has no space for them. An undo may
     * store more than before in a full account, so that mistakes there can be undone.
     */
    async save(quota: number, isUndo = false): Promise<Cursors> {
      const { rows } = changes
      const newest = rows.at(-1)
      if (!newest) return { cursor: cursorOf(account) }
      const { items } = growth
      const more = items.values().reduce((sum, each) => sum + Math.max(each, 0), 0)
      const grows = !isUndo && (growth.bytes > free.bytes || more > free.items)
      const logged = rows.reduce((sum, row) => sum + bytesOfChange(row), 0)
      const bytes = [growth, ...kept].reduce((sum, each) => sum + each.bytes, logged)
      const total = { changes: rows.length, items, free: free.items, bytes, grows }
      await growAccount(db, author.userId, newest.id, total, quota)
      await storeItems(db, author.userId, created, edited, now)
      for (const { store } of kept) await store(db, author.userId)
      for (const [{ limit }, more] of items)
        if (more > 0 && limit.fits && !(await limit.fits(db, author.userId))) throw limit.error()
      await insertChanges(db, rows)
      const cursor = cursorOf({ seq: newest.seq, head: newest.id })
      // The response does not have the items that the server has added.
      return free.items > 0 ? { cursor } : { cursor, before: cursorOf(account) }
    },
  }
}

export type Log = Awaited<ReturnType<typeof openLog>>

/** The cursor after a write, and the one before it if the log has anything new. */
export type Cursors = { cursor: string; before?: string }

/** The response header of every write: the cursor after it, for `GET /changes`. */
export const cursorHeader = 'changes-cursor'

/**
 * The response headers of a write whose response has all items that it changed. For a client that has all changes up to the cursor
 * before it, the response is what `GET /changes` would return.
 */
export const cursorHeaders = ({ cursor, before }: Cursors) => ({
  [cursorHeader]: cursor,
  ...(before !== undefined && { 'changes-cursor-before': before }),
})

export const cursorOf = ({ seq, head }: { seq: number; head: string }) => `${seq}.${head}`

export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

export const differing = ({ kind, row }: StoredItem, values: Values) =>
  kind.logged.filter((field) => values[field] !== undefined && values[field] !== row[field])

async function storeItems(
  db: Db,
  owner: string,
  created: Set<StoredItem>,
  edited: Map<StoredItem, Set<string>>,
  now: number,
) {
  const changed = [...edited].filter(([item]) => !created.has(item))
  for (const [kind, items] of Map.groupBy(created, (item) => item.kind))
    await kind.insert(
      db,
      owner,
      items.map(({ row }) => row),
    )
  for (const [{ kind, row }, columns] of changed) await kind.update(db, owner, row, columns)
  const stored = [...created, ...changed.map(([item, columns]) => ({ ...item, edited: columns }))]
  for (const [kind, items] of Map.groupBy(stored, (item) => item.kind))
    await kind.follow?.(db, owner, items, now)
}
