import type { Db } from '../database/schema.ts'
import { badRequest } from '../errors.ts'
import { type LoggedColumn, loggedColumns, type TaskRow, type Values } from './task-row.ts'

/** The maximum number of changes of one item that its history returns and that undo compares. */
export const longestHistory = 1000

type Change = {
  seq: number
  fields: string
  at: number
  device: string
  undoes: number | null
  bytes: number | null
}

/** Returns the item's changes after number `behind`, newest first, without their values. */
export function findChanges(db: Db, owner: string, item: string, behind = -1): Promise<Change[]> {
  return db
    .selectFrom('changes')
    .select(['seq', 'fields', 'at', 'device', 'undoes'])
    .select(({ fn }) => fn<number | null>('octet_length', ['before']).as('bytes'))
    .where('user_id', '=', owner)
    .where('item', '=', item)
    .where('seq', '>', behind)
    .orderBy('seq', 'desc')
    .limit(longestHistory)
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

/**
 * Returns the values that the item's fields had before its newest changes, `later`: the old value of the earliest of them
 * that changed the field, or the stored value if none did.
 */
export async function valuesBefore(
  db: Db,
  owner: string,
  row: TaskRow,
  later: Pick<Change, 'seq' | 'fields'>[],
): Promise<Values> {
  const earliest = new Map<LoggedColumn, number>()
  // `later` is ordered newest first, so the earliest change is set last.
  for (const { seq, fields } of later) for (const field of fieldsOf(fields)) earliest.set(field, seq)
  const old = await findValues(db, owner, [...new Set(earliest.values())])
  const values = loggedColumns.map((field) => {
    const seq = earliest.get(field)
    return [field, seq === undefined ? row[field] : old.get(seq)?.[field]]
  })
  return Object.fromEntries(values)
}

export const fieldsOf = (fields: string) => fields.split(' ') as LoggedColumn[]

/** Parses a position in the log that the caller sent. */
export function seqOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw badRequest('cursor', 'unknown-cursor', 'must be a nextCursor that this history returned')
  return Number(cursor)
}
