import { sql } from 'kysely'
import type { Delta } from '#contract/changes.ts'
import { changesPerCall } from '#contract/limits.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { accountGone } from '../errors.ts'
import { cursorOf } from './change-log.ts'
import { decode, endAfter, endAt, type Position, type Read } from './delta-cursor.ts'
import { beginning, findItems } from './first-read.ts'
import { summaryColumns, toSummary } from './note-row.ts'
import { countFitting, endPage, shortBody } from './task-page.ts'
import { storedBytes, type TaskRow, taskColumns, toTask } from './task-row.ts'

/** The owner of a log, and the number and the id of its newest change when the caller's token was looked up. */
export type Head = { userId: string; seq: number; head: string }

/** The maximum number of rows of the log that one response covers. */
const changesPerScan = 2000

/** Returns the changes after a cursor, as many as fit into one response, or all items if there is no cursor. */
export async function findDelta(
  db: Db,
  owner: Head,
  { since, limit = changesPerCall }: { since?: string | undefined; limit?: number | undefined },
): Promise<Delta> {
  if (since === cursorOf(owner)) return { tasks: [], notes: [], purged: [], cursor: since, more: false }
  if (since === undefined) {
    const { userId, seq, head } = owner
    return await findAll(db, userId, { seq, head, after: beginning }, limit)
  }
  const { after, seen, ...from } = decode(since)
  if (seen && !(await isKnown(db, owner.userId, seen))) return { reset: true }
  if (after === undefined) return await findChanged(db, owner, from, limit)
  if (!(await isKnown(db, owner.userId, from))) return { reset: true }
  return await findAll(db, owner.userId, { ...from, after }, limit)
}

async function isKnown(db: Db, owner: string, { seq, head }: Position): Promise<boolean> {
  const { rows } = await scanLog(db, { owner, from: seq, to: seq })
  return rows[0]?.id === head
}

const scanLog = compiledQuery((db, value: { owner: string; from: number; to: number }) =>
  db
    .selectFrom('changes')
    .select(['seq', 'id', 'kind', 'item'])
    .where('user_id', '=', value.owner)
    .where('seq', '>=', value.from)
    .where('seq', '<=', value.to)
    .orderBy('seq')
    .limit(changesPerScan),
)

/** Returns the items that are not deleted, and then the position at which this began. */
async function findAll(
  db: Db,
  owner: string,
  { after, ...start }: Position & { after: Read },
  limit: number,
): Promise<Delta> {
  const { tasks, notes, last } = await findItems(db, owner, after, limit)
  const seen = await findHead(db, owner)
  const end = last ? endAfter(last, start, seen) : endAt(start, seen)
  return { tasks, notes: notes.map(toSummary), purged: [], ...end }
}

const selectHead = compiledQuery((db, value: { owner: string }) =>
  db.selectFrom('users').select(['seq', 'head']).where('id', '=', value.owner),
)

/** Must follow the queries for tasks, so that it covers everything that they saw. */
async function findHead(db: Db, owner: string): Promise<Position> {
  const [head] = (await selectHead(db, { owner })).rows
  if (!head) throw accountGone()
  return head
}

/** Returns the items whose newest change is after `since`, ordered by that change. */
async function findChanged(db: Db, { userId, seq }: Head, since: Position, limit: number): Promise<Delta> {
  const scan = { owner: userId, from: since.seq, to: Math.max(since.seq, seq) }
  const [first, ...log] = (await scanLog(db, scan)).rows
  if (first?.id !== since.head) return { reset: true }
  const read = log.slice(0, countChanges(log, limit))
  const reached = read.at(-1)?.seq ?? since.seq
  const range = { owner: userId, after: since.seq, upTo: reached }
  const found = (await selectShort(db, range)).rows
  const rows = found.every(isWhole) ? found : await selectFitting(db, range)
  const tasks = endPage(rows.map(toTask))
  // A task that did not fit, and everything that was changed after it, follows the new cursor.
  const isCut = tasks.length < found.length
  const stop = isCut ? (tasks.at(-1)?.version ?? reached) : reached
  const passed = read.filter((change) => change.seq <= stop)
  const notes = await findNotes(db, range, read, stop)
  // The id of a purged item may be used again: a client must not remove the new item.
  const returned = new Set([...tasks, ...notes].map(({ _id }) => _id))
  const purges = passed.flatMap(({ kind, item }) => (kind === 'purge' && item !== null ? [item] : []))
  const purged = [...new Set(purges)].filter((id) => !returned.has(id))
  const last = passed.at(-1)
  const next = last ? { seq: last.seq, head: last.id } : since
  return { tasks, notes, purged, ...endAt(next, await findHead(db, userId)) }
}

/** Returns the changed notes of the range up to number `stop`. What is shown of 200 notes is less than a page. */
async function findNotes(db: Db, range: Range, read: { kind: string }[], stop: number) {
  if (!read.some(({ kind }) => kind === 'note' || kind === 'blank')) return []
  return (await selectNotes(db, { ...range, upTo: stop })).rows.map(toSummary)
}

/** Returns the number of leading changes of at most `limit` items. */
function countChanges(log: { item: string | null }[], limit: number): number {
  const items = new Set<string>()
  const end = log.findIndex(({ item }) => item !== null && items.add(item).size > limit)
  return end < 0 ? log.length : end
}

type Range = { owner: string; after: number; upTo: number }

/** The items whose newest change is in the range, ordered by that change. They are found through the log. */
function selectInRange(db: Db, table: 'tasks' | 'notes', { owner, after, upTo }: Range) {
  const items = db
    .selectFrom('changes')
    .select(sql<string>`item`.as('item'))
    .where('user_id', '=', owner)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
  return db
    .selectFrom(table)
    .where('user_id', '=', owner)
    .where('id', 'in', items)
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .orderBy('version')
}

const selectShort = compiledQuery((db, value: Range) =>
  selectInRange(db, 'tasks', value)
    .select(taskColumns.filter((column) => column !== 'body'))
    .select(bodyIfShort.as('body')),
)

/** Null for a long body. Both engines know the length of a text without reading it. */
const bodyIfShort = sql<string | null>`case when octet_length(body) <= ${sql.lit(shortBody)} then body end`

const isWhole = <Row extends { body: string | null }>(row: Row): row is Row & { body: string } =>
  row.body !== null

const selectSizes = compiledQuery((db, value: Range) =>
  selectInRange(db, 'tasks', value).select(storedBytes.as('bytes')),
)

const selectLong = compiledQuery((db, value: Range & { limit: number }) =>
  selectInRange(db, 'tasks', value).select(taskColumns).limit(sql<number>`${value.limit}`),
)

/** Reads no more than one page. */
async function selectFitting(db: Db, range: Range): Promise<TaskRow[]> {
  const sizes = (await selectSizes(db, range)).rows
  return (await selectLong(db, { ...range, limit: countFitting(sizes.map(({ bytes }) => bytes)) })).rows
}

const selectNotes = compiledQuery((db, value: Range) =>
  selectInRange(db, 'notes', value).select(summaryColumns),
)
