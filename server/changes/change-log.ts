import { randomUUID } from 'node:crypto'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { HttpError } from '../errors.ts'
import { type Author, growAccount, lockAccount, tooManyNotes } from './account.ts'
import {
  bytesOfOld,
  type Edit,
  type ItemRow,
  type ItemSet,
  type Kind,
  type KindName,
  type LoggedColumn,
  type Values,
  type Version,
} from './item-kind.ts'
import { allKinds } from './item-kinds.ts'
import { bytesPerCall, searchLog } from './later-changes.ts'
import { versionBytes } from './note-row.ts'
import { fitsNotes, insertVersion } from './stored-notes.ts'

type ChangeRow = Schema['changes']

/** The columns of a change besides its values. */
export type Origin = { mutation?: string | null; group?: string | null; undoes?: number | null }

/** An item that a transaction has read or created. */
export type Item = { kind: Kind; row: ItemRow }

/** SQLite accepts at most 32,766 values in a statement. */
const rowsPerInsert = 1000

/**
 * Locks the user's row and returns the user's log for this transaction. All writes of items use it, except the creation
 * of a single task (`create-alone.ts`): it applies changes to rows in memory and numbers them, and `save` stores them.
 */
export async function openLog(db: Db, author: Author, now: number) {
  const account = await lockAccount(db, author.userId)
  const items = new Map<string, Item>()
  const originals = new Map<string, ItemRow>()
  const search = searchLog(db, author.userId)
  const created = new Set<Item>()
  /** The edited items, and which of their columns were edited. */
  const edited = new Map<Item, Set<LoggedColumn>>()
  const changes: ChangeRow[] = []
  const versions: Version[] = []
  const growth = { changes: 0, task: 0, note: 0, bytes: 0, rowBytes: 0 }

  function nextEdit({ group, undoes }: Origin): Edit {
    const seq = account.seq + growth.changes + 1
    return { seq, now, device: author.device, isStep: Boolean(group ?? undoes) }
  }

  function append(
    { kind, row }: Item,
    fields: readonly LoggedColumn[],
    before: object | null,
    origin: Origin,
  ) {
    const { mutation = null, group = null, undoes = null } = origin
    const previous = before ? row.version || null : 0
    row.version = account.seq + ++growth.changes
    const old = before && JSON.stringify(before)
    growth.bytes += bytesOfOld(old)
    changes.push({
      user_id: author.userId,
      seq: row.version,
      id: randomUUID(),
      at: now,
      device: author.device,
      kind: kind.name,
      item: row.id,
      mutation,
      group_id: group,
      undoes,
      fields: fields.join(' '),
      before: old,
      previous,
    })
  }

  return {
    account,

    /** Reads these items; `find` finds them from then on. Throws `tooLarge()` if they exceed `bytesPerCall`. */
    async load(wanted: { id: string; kind: KindName }[], tooLarge: () => HttpError) {
      let bytes = 0
      for (const kind of allKinds) {
        const ids = [...new Set(wanted.filter((each) => each.kind === kind.name).map(({ id }) => id))]
        if (ids.length === 0) continue
        if (wanted.length > 1) bytes += await kind.sizeOf(db, author.userId, ids)
        if (bytes > bytesPerCall) throw tooLarge()
        for (const row of await kind.select(db, author.userId, ids)) {
          items.set(row.id, { kind, row })
          originals.set(row.id, { ...row })
        }
      }
    },

    find: (id: string) => items.get(id),

    /**
     * Returns the values that fields of a loaded item had after change number `seq`, or undefined if the log does not
     * tell. The changes of this transaction are later.
     */
    async valuesAt(id: string, seq: number, fields: readonly LoggedColumn[]): Promise<Values | undefined> {
      const original = originals.get(id)
      return original && (await search(original, seq, fields))
    },

    /** Creates an item, or returns undefined if a required field is missing. */
    create(kind: Kind, id: string, set: ItemSet, origin: Origin): Item | undefined {
      const row = kind.create(id, set, nextEdit(origin))
      if (!row) return undefined
      const item = { kind, row }
      items.set(id, item)
      created.add(item)
      growth[kind.name]++
      growth.rowBytes += kind.bytesOf(row)
      append(item, kind.columns, null, origin)
      return item
    },

    /** Sets the values that differ from the stored ones and logs the change. Returns whether there were any. */
    edit(item: Item, values: Values, origin: Origin): boolean {
      const { kind, row } = item
      const fields = differing(item, values)
      if (fields.length === 0) return false
      const [bytes, wasDeleted] = [kind.bytesOf(row), row.deleted_at !== null]
      const { before, version } = kind.edit(row, fields, values, nextEdit(origin))
      growth.rowBytes += kind.bytesOf(row) - bytes
      growth[kind.name] += Number(wasDeleted) - Number(row.deleted_at !== null)
      if (version) {
        versions.push(version)
        growth.bytes += bytes + versionBytes
      }
      append(item, fields, before, origin)
      edited.set(item, new Set([...(edited.get(item) ?? []), ...fields]))
      return true
    },

    /** Stores all changes and returns the cursor after them. Throws a 409 if the account has no space for them. */
    async save(quota: number): Promise<string> {
      const newest = changes.at(-1)
      if (!newest) return cursorOf(account)
      const { rowBytes, task: tasks, note: notes } = growth
      const grows = rowBytes > 0 || tasks > 0 || notes > 0
      const total = { changes: growth.changes, tasks, notes, bytes: growth.bytes + rowBytes, grows }
      await growAccount(db, author.userId, newest.id, total, quota)
      for (const kind of allKinds) {
        const rows = [...created].filter((item) => item.kind === kind).map(({ row }) => row)
        if (rows.length > 0) await kind.insert(db, author.userId, rows)
      }
      for (const [item, columns] of edited)
        if (!created.has(item)) await item.kind.update(db, author.userId, item.row, columns)
      for (const version of versions) await insertVersion(db, { user_id: author.userId, ...version })
      if (notes > 0 && !(await fitsNotes(db, author.userId))) throw tooManyNotes()
      if (changes.length === 1) await insertChange(db, newest)
      else
        for (let from = 0; from < changes.length; from += rowsPerInsert)
          await db
            .insertInto('changes')
            .values(changes.slice(from, from + rowsPerInsert))
            .execute()
      return cursorOf({ seq: newest.seq, head: newest.id })
    },
  }
}

export type Log = Awaited<ReturnType<typeof openLog>>

/** The response header of every write: the cursor after it, for `GET /changes`. */
export const cursorHeader = 'changes-cursor'

export const cursorOf = ({ seq, head }: { seq: number; head: string }) => `${seq}.${head}`

/** Returns the fields of `values` that differ from the item. */
export const differing = ({ kind, row }: Item, values: Values) =>
  kind.columns.filter((field) => values[field] !== undefined && values[field] !== row[field])

export const insertChange = compiledQuery((db, row: ChangeRow) =>
  db.insertInto('changes').values({
    user_id: row.user_id,
    seq: row.seq,
    id: row.id,
    at: row.at,
    device: row.device,
    kind: row.kind,
    item: row.item,
    mutation: row.mutation,
    group_id: row.group_id,
    undoes: row.undoes,
    fields: row.fields,
    before: row.before,
    previous: row.previous,
  }),
)
