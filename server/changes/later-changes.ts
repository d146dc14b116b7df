import { sql } from 'kysely'
import type { Db, Schema } from '../database/schema.ts'
import { badRequest } from '../errors.ts'
import type { ItemRow, LoggedColumn, Values } from './item-kind.ts'

/** The maximum size of the texts and old values that one call with several changes reads. */
export const bytesPerCall = 4 * 1_048_576

/** The maximum number of changes of one item that its history returns and that one edit or undo is compared with. */
export const longestHistory = 1000

/** The maximum number of changes that all edits of one call are compared with. */
const longestSearch = 20_000

type Change = {
  seq: number
  kind: Schema['changes']['kind']
  fields: string
  at: number
  device: string
  undoes: number | null
  bytes: number | null
}

/** The condition of the index `edits_of_item`, which contains no creations. */
export const isEdit = sql<boolean>`previous is distinct from 0`

/** Returns the item's changes after number `behind`, newest first, without their values. */
export async function findChanges(
  db: Db,
  owner: string,
  { id, version }: Pick<ItemRow, 'id' | 'version'>,
  behind = -1,
): Promise<Change[]> {
  // Only columns of the index: otherwise SQLite prefers the primary key and reads the whole log of the user.
  const edits = await db
    .selectFrom('changes')
    .select(['seq', 'previous'])
    .where('user_id', '=', owner)
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
  return await db
    .selectFrom('changes')
    .select(['seq', 'kind', 'fields', 'at', 'device', 'undoes'])
    .select(({ fn }) => fn<number | null>('octet_length', ['before']).as('bytes'))
    .where('user_id', '=', owner)
    .where('seq', 'in', newest.slice(0, longestHistory))
    .orderBy('seq', 'desc')
    .execute()
}

/** Returns the old values of these changes of the owner, keyed by number. */
export async function findValues(db: Db, owner: string, seqs: number[]): Promise<Map<number, Values | null>> {
  if (seqs.length === 0) return new Map()
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'before'])
    .where('user_id', '=', owner)
    .where('seq', 'in', seqs)
    .execute()
  return new Map(rows.map(({ seq, before }) => [seq, before === null ? null : JSON.parse(before)]))
}

/** Returns the number of the earliest of these changes, ordered newest first, that changed each of the fields. */
function earliestOf(changes: Pick<Change, 'seq' | 'fields' | 'bytes'>[], fields: readonly LoggedColumn[]) {
  const earliest = new Map<LoggedColumn, (typeof changes)[number]>()
  // The earliest change of a field is set last.
  for (const change of changes)
    for (const field of fieldsOf(change.fields)) if (fields.includes(field)) earliest.set(field, change)
  return earliest
}

/**
 * Returns the values that fields of the item had before its newest changes, `later`: the old value of the earliest of them
 * that changed the field, or the stored value if none did. A value that the log does not contain, such as the text of a
 * note, is undefined.
 */
export async function valuesBefore(
  db: Db,
  owner: string,
  row: ItemRow,
  later: Pick<Change, 'seq' | 'fields' | 'bytes'>[],
  fields: readonly LoggedColumn[],
): Promise<Values> {
  const earliest = earliestOf(later, fields)
  const seqs = new Set([...earliest.values()].map(({ seq }) => seq))
  const old = await findValues(db, owner, [...seqs])
  const values = fields.map((field) => {
    const change = earliest.get(field)
    return [field, change ? old.get(change.seq)?.[field] : row[field]]
  })
  return Object.fromEntries(values)
}

/**
 * Returns a function that returns the values which fields of a stored task had after change number `seq`, or undefined if
 * the log does not reach back to it or contains too much since. The function bounds what one call reads.
 */
export function searchLog(db: Db, owner: string) {
  let [changes, bytes] = [0, 0]
  let oldest: Promise<number> | undefined

  return async (row: ItemRow, seq: number, fields: readonly LoggedColumn[]): Promise<Values | undefined> => {
    if (seq === row.version) return row
    if (seq > row.version || changes > longestSearch) return undefined
    oldest ??= findOldest(db, owner)
    if (seq < (await oldest)) return undefined
    const later = await findChanges(db, owner, row, seq)
    changes += later.length
    if (later.length === longestHistory) return undefined
    for (const change of new Set(earliestOf(later, fields).values())) bytes += change.bytes ?? 0
    return bytes > bytesPerCall ? undefined : await valuesBefore(db, owner, row, later, fields)
  }
}

/** Returns the number of the oldest change in the log. */
async function findOldest(db: Db, owner: string): Promise<number> {
  const oldest = db.selectFrom('changes').select('seq').where('user_id', '=', owner).orderBy('seq').limit(1)
  return (await oldest.executeTakeFirstOrThrow()).seq
}

export const fieldsOf = (fields: string) => fields.split(' ') as LoggedColumn[]

/** Parses a position in the log that the caller sent. */
export function seqOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw badRequest('cursor', 'unknown-cursor', 'must be a nextCursor that this history returned')
  return Number(cursor)
}
