import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import type { ItemRow, Values } from './field-values.ts'
import type { Kind } from './item-kind.ts'
import { bytesOfValues } from './log-rows.ts'
import { changesOf } from './stored-items.ts'

/** The maximum size of the texts and old values that one call with several changes reads. */
export const bytesPerCall = 4 * 1_048_576

/** The maximum number of changes of one item that one edit or undo is compared with. */
const longestHistory = 1000

/** The maximum number of changes that all edits of one call are compared with. */
const longestSearch = 20_000

type LaterChange = { seq: number; fields: string; bytes: number }

type LoggedValues = Values | null

/** The part of the log that a call has read: by item the oldest change that it needs, and by change the old values. */
export type Read = { oldest: ReadonlyMap<string, number>; values: ReadonlyMap<number, LoggedValues> }

/** The condition of the index `edits_of_item`, which contains no creations. */
export const isEdit = sql<boolean>`previous is distinct from 0`

/** Returns the item's changes after number `behind`, newest first, without their values. */
async function findChanges(
  db: Db,
  owner: string,
  { id, version }: Pick<ItemRow, 'id' | 'version'>,
  behind: number,
): Promise<LaterChange[]> {
  // Only columns of the index: otherwise SQLite prefers the primary key and reads the whole log of the user.
  const edits = await changesOf(db, owner)
    .select(['seq', 'previous'])
    .where('item', '=', id)
    .where(isEdit)
    .where('seq', '>', behind)
    .orderBy('seq', 'desc')
    .limit(longestHistory)
    .execute()
  // The first edit names the creation. An item that was never edited has the number of its creation as its version.
  const numbers = new Set([version, ...edits.flatMap(({ seq, previous }) => [seq, previous ?? seq])])
  const newest = [...numbers].filter((seq) => seq > behind).toSorted((a, b) => b - a)
  if (newest.length === 0) return []
  return await changesOf(db, owner)
    .select(['seq', 'fields'])
    .select(bytesOfValues)
    .where('seq', 'in', newest.slice(0, longestHistory))
    .orderBy('seq', 'desc')
    .execute()
}

/**
 * Returns the number of the change that created an item, or that of an earlier change than all that the log has of it. An item may have
 * been purged and created again.
 */
export async function findCreation(
  db: Db,
  owner: string,
  { id, version }: Pick<ItemRow, 'id' | 'version'>,
): Promise<number> {
  const edits = changesOf(db, owner).where('item', '=', id).where(isEdit)
  // Only columns of the index, as above. A purge has no earlier version.
  const purge = edits
    .where('previous', 'is', null)
    .select(({ fn }) => fn.coalesce(fn.max('seq'), sql.lit(0)).as('seq'))
  const first = edits.select('previous').where('seq', '>', purge).orderBy('seq').limit(1)
  return (await first.executeTakeFirst())?.previous ?? version
}

async function findValues(db: Db, owner: string, seqs: number[]): Promise<Map<number, LoggedValues>> {
  if (seqs.length === 0) return new Map()
  const rows = await changesOf(db, owner).select(['seq', 'before']).where('seq', 'in', seqs).execute()
  return new Map(rows.map(({ seq, before }) => [seq, before === null ? null : JSON.parse(before)]))
}

/** Returns the number of the earliest of these changes, ordered newest first, that changed each of the fields. */
function earliestOf(changes: LaterChange[], fields: readonly string[]) {
  const earliest = new Map<string, (typeof changes)[number]>()
  // The earliest change of a field is set last.
  for (const change of changes)
    for (const field of fieldsOf(change.fields)) if (fields.includes(field)) earliest.set(field, change)
  return earliest
}

/**
 * Returns the values that fields of the item had before its newest changes, `later`, in the form of the log. If `later` changed
 * a field, its value is the old value of the earliest of these changes. Otherwise it is the stored value.
 */
async function valuesBefore(
  db: Db,
  owner: string,
  { kind, row }: { kind: Pick<Kind, 'loggedAs'>; row: ItemRow },
  later: LaterChange[],
  fields: readonly string[],
  known: ReadonlyMap<number, LoggedValues> = new Map(),
): Promise<Values> {
  const earliest = earliestOf(later, fields)
  const seqs = new Set([...earliest.values()].map(({ seq }) => seq))
  const old = await findValues(
    db,
    owner,
    [...seqs].filter((seq) => !known.has(seq)),
  )
  const values = fields.map((field) => {
    const change = earliest.get(field)
    const logged = (change && kind.loggedAs?.[field]) || field
    const before = change && (known.get(change.seq) ?? old.get(change.seq))
    return [logged, change ? before?.[logged] : row[field]]
  })
  return Object.fromEntries(values)
}

/**
 * Returns a function that returns the values which fields of a stored item had after change number `seq`, or undefined if
 * the log does not reach back to it or contains too much since. The function limits how much one call reads, and reads the
 * changes of an item once if it is told how far back the call goes.
 */
export function searchLog(db: Db, owner: string) {
  let [changes, bytes] = [0, 0]
  let oldest: Promise<number> | undefined
  const found = new Map<string, { behind: number; changes: LaterChange[] }>()

  async function changesBehind(row: ItemRow, seq: number, behind: number): Promise<LaterChange[]> {
    let known = found.get(row.id)
    if (!known || seq < known.behind) {
      known = { behind, changes: await findChanges(db, owner, row, behind) }
      found.set(row.id, known)
    }
    return known.changes.filter((change) => change.seq > seq)
  }

  return async (
    item: { kind: Kind; row: ItemRow },
    seq: number,
    fields: readonly string[],
    read?: Read,
  ): Promise<Values | undefined> => {
    const { row } = item
    if (seq === row.version) return await valuesBefore(db, owner, item, [], fields)
    if (seq > row.version || changes > longestSearch) return undefined
    oldest ??= findOldest(db, owner)
    if (seq < (await oldest)) return undefined
    const later = await changesBehind(row, seq, read?.oldest.get(row.id) ?? seq)
    changes += later.length
    if (later.length === longestHistory) return undefined
    for (const change of new Set(earliestOf(later, fields).values())) bytes += change.bytes
    return bytes > bytesPerCall ? undefined : await valuesBefore(db, owner, item, later, fields, read?.values)
  }
}

async function findOldest(db: Db, owner: string): Promise<number> {
  const oldest = changesOf(db, owner).select('seq').orderBy('seq').limit(1)
  return (await oldest.executeTakeFirstOrThrow()).seq
}

export const fieldsOf = (fields: string) => fields.split(' ')
