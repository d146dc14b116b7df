import { sql } from 'kysely'
import type { Delta } from '#contract/changes.ts'
import { changesPerCall } from '#contract/limits.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { cursorOf } from './change-log.ts'
import { decode, endAfter, endAt, type Position, type Read } from './delta-cursor.ts'
import type { ItemRow } from './field-values.ts'
import { findItems } from './first-read.ts'
import { fitting, fittingItems, shortTexts } from './fitting-rows.ts'
import type { Kind, Kinds } from './item-kind.ts'
import { changesOf, itemsOf } from './stored-items.ts'

/** The owner of a log, and the number and the id of its newest change when the caller's token was looked up. */
type Head = { userId: string; seq: number; head: string }

/** The maximum number of rows of the log that one response covers. */
const changesPerScan = 2000

/** Returns the changes after a cursor, as many as fit into one response, or all items if there is no cursor. */
export async function findDelta(
  db: Db,
  kinds: Kinds,
  owner: Head,
  { since, limit }: { since?: string | undefined; limit?: number | undefined },
): Promise<Delta> {
  if (since === cursorOf(owner)) return { purged: [], items: [], cursor: since, more: false }
  return (await find(db, kinds, owner, since, limit)) as Delta
}

async function find(db: Db, kinds: Kinds, owner: Head, since: string | undefined, limit: number | undefined) {
  const { userId, seq, head } = owner
  if (since === undefined) return await findAll(db, kinds, userId, { seq, head, after: undefined }, limit)
  const { after, seen, ...from } = decode(since)
  if (seen && !(await isKnown(db, userId, seen))) return { reset: true }
  if (after === undefined) return await findChanged(db, kinds, owner, from, limit ?? changesPerCall)
  if (!(await isKnown(db, userId, from))) return { reset: true }
  return await findAll(db, kinds, userId, { ...from, after }, limit)
}

async function isKnown(db: Db, owner: string, { seq, head }: Position): Promise<boolean> {
  const { rows } = await scanLog(db, { owner, from: seq, to: seq })
  return rows[0]?.id === head
}

const scanLog = compiledQuery((db, value: { owner: string; from: number; to: number }) =>
  changesOf(db, value.owner)
    .select(['seq', 'id', 'kind', 'item'])
    .where('seq', '>=', value.from)
    .where('seq', '<=', value.to)
    .orderBy('seq')
    .limit(changesPerScan),
)

/** Returns all items, and then the position at which this began. */
async function findAll(
  db: Db,
  kinds: Kinds,
  owner: string,
  { after, ...start }: Position & { after: Read | undefined },
  limit: number | undefined,
) {
  const { items, last } = await findItems(db, kinds, owner, after, limit)
  const seen = await findHead(db, owner)
  return { purged: [], items, ...(last ? endAfter(last, start, seen) : endAt(start, seen)) }
}

const selectHead = compiledQuery((db, value: { owner: string }) =>
  db.selectFrom('users').select(['seq', 'head']).where('id', '=', value.owner),
)

/** Must follow the queries for items, so that it covers everything that they saw. */
async function findHead(db: Db, owner: string): Promise<Position> {
  const [head] = (await selectHead(db, { owner })).rows
  if (!head) throw new HttpError('account-gone')
  return head
}

/** Returns the items whose newest change is after `since`, kind by kind, ordered by that change. */
async function findChanged(db: Db, kinds: Kinds, { userId, seq }: Head, since: Position, limit: number) {
  const scan = { owner: userId, from: since.seq, to: Math.max(since.seq, seq) }
  const [first, ...log] = (await scanLog(db, scan)).rows
  if (first?.id !== since.head) return { reset: true }
  const read = log.slice(0, countChanges(log, limit))
  const range = { owner: userId, after: since.seq, upTo: read.at(-1)?.seq ?? since.seq }
  const found: Shown[] = []
  for (const kind of kinds) {
    if (!read.some((change) => change.kind === kind.name || change.kind === 'blank')) continue
    const { rows, isCut } = await rangeReaderOf(kind)(db, range)
    found.push(...rows.map((row) => ({ kind, row })))
    // An item that did not fit, and everything that was changed after it, follows the new cursor.
    if (isCut) range.upTo = rows.at(-1)?.version ?? range.upTo
  }
  const passed = read.filter((change) => change.seq <= range.upTo)
  const shown = found.filter(({ row }) => row.version <= range.upTo)
  const purged = passed.flatMap(({ kind, item }) => (kind === 'purge' && item !== null ? [item] : []))
  const last = passed.at(-1)
  const next = last ? { seq: last.seq, head: last.id } : since
  return {
    purged: [...new Set(purged)],
    items: shown.map(({ kind, row }) => ({ kind: kind.name, item: (kind.summary ?? kind).toItem(row) })),
    ...endAt(next, await findHead(db, userId)),
  }
}

type Shown = { kind: Kind; row: ItemRow }

function countChanges(log: { item: string | null }[], limit: number): number {
  const items = new Set<string>()
  const end = log.findIndex(({ item }) => item !== null && items.add(item).size > limit)
  return end < 0 ? log.length : end
}

type Range = { owner: string; after: number; upTo: number }

/** The items whose newest change is in the range, ordered by that change. They are found through the log. */
function selectInRange(db: Db, { table }: Kind, { owner, after, upTo }: Range) {
  const items = changesOf(db, owner)
    .select(sql<string>`item`.as('item'))
    .distinct()
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    // A range has no more items. PostgreSQL would expect one for each change, and read all items of the user instead.
    .limit(sql.lit(changesPerCall + 1))
  return itemsOf(db, table, owner)
    .where('id', 'in', items as never)
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .orderBy('version')
}

const readers = new WeakMap<Kind, ReturnType<typeof createRangeReader>>()

function rangeReaderOf(kind: Kind) {
  const known = readers.get(kind) ?? createRangeReader(kind)
  readers.set(kind, known)
  return known
}

/** Returns the function that reads the rows of a range, those that fit into one page. */
function createRangeReader(kind: Kind) {
  const { columns, texts, storedBytes, summary } = kind
  const select = (names: readonly string[]) =>
    compiledQuery((db, value: Range) => selectInRange(db, kind, value).select(names))
  const selectSummaries = select(summary?.columns ?? [])
  // Null instead of a long text. Both engines know the length of a text without reading it.
  const ifShort = texts.map((text) =>
    sql<string>`case when ${storedBytes} <= ${sql.lit(shortTexts)} then ${sql.ref(text)} end`.as(text),
  )
  const selectShort = compiledQuery((db, value: Range) =>
    selectInRange(db, kind, value)
      .select(columns.filter((column) => !texts.includes(column)))
      .select([storedBytes.as('bytes'), ...ifShort]),
  )
  const selectLong = compiledQuery((db, value: Range & { limit: number }) =>
    selectInRange(db, kind, value).select(columns).limit(sql<number>`${value.limit}`),
  )

  return async (db: Db, range: Range): Promise<{ rows: ItemRow[]; isCut: boolean }> => {
    // The summaries of 200 items are smaller than a page.
    if (summary) return { rows: (await selectSummaries(db, range)).rows as ItemRow[], isCut: false }
    const found = (await selectShort(db, range)).rows as (ItemRow & { bytes: number })[]
    const isWhole = found.every(({ bytes }) => bytes <= shortTexts)
    const rows = isWhole ? found : (await selectLong(db, { ...range, limit: fitting(found).length })).rows
    const fits = fittingItems((rows as ItemRow[]).map(kind.toItem)).length
    return { rows: (rows as ItemRow[]).slice(0, fits), isCut: fits < found.length }
  }
}
