import { type SelectQueryBuilder, sql } from 'kysely'
import type { Delta } from '#contract/changes.ts'
import { changesPerCall } from '#contract/limits.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import { accountGone, badRequest } from '../errors.ts'
import { cursorOf } from './change-log.ts'
import { selectTasks } from './stored-tasks.ts'
import { countFitting, endPage, shortBody } from './task-page.ts'
import { storedBytes, type TaskRow, taskColumns, toTask } from './task-row.ts'

/** The owner of a log, and the number and the id of its newest change when the caller's token was looked up. */
export type Head = { userId: string; seq: number; head: string }

/** The maximum number of rows of the log that one response covers. */
const changesPerScan = 2000

/** The maximum number of tasks, deleted ones included, among which one response of a first read looks for tasks. */
const tasksPerScan = 2000

/** A position in the log: the number and the id of a change. */
type Position = { seq: number; head: string }

/**
 * A parsed cursor. `seen` is the newest change that the responses so far may depend on, if that is after the position: a
 * response omits tasks that are changed again later. If the log loses this change, the client must start again, although
 * the log still contains the position. During a first read, `after` is the last task returned.
 */
type Since = Position & { seen?: Position | undefined; after?: string | undefined }

/** Returns the changes after a cursor, as many as fit into one response, or all tasks if there is no cursor. */
export async function findDelta(
  db: Db,
  owner: Head,
  { since, limit = changesPerCall }: { since?: string | undefined; limit?: number | undefined },
): Promise<Delta> {
  if (since === cursorOf(owner)) return { tasks: [], purged: [], cursor: since, more: false }
  if (since === undefined) return await findAll(db, owner.userId, { ...owner, after: '' }, limit)
  const { after, seen, ...from } = decode(since)
  if (seen && !(await isKnown(db, owner.userId, seen))) return { reset: true }
  if (after === undefined) return await findChanged(db, owner, from, limit)
  if (!(await isKnown(db, owner.userId, from))) return { reset: true }
  return await findAll(db, owner.userId, { ...from, after }, limit)
}

const uuid = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'
const number = String.raw`(\d{1,15})`
const pattern = new RegExp(`^${number}\\.${uuid}(?:\\.${number}\\.${uuid}(?:\\.${uuid})?)?$`)

function decode(cursor: string): Since {
  const [, seq, head, seenSeq, seenHead, after] = pattern.exec(cursor) ?? []
  if (!seq || !head) throw badRequest('since', 'unknown-cursor', 'must be a cursor that this server returned')
  const seen = seenSeq && seenHead ? { seq: Number(seenSeq), head: seenHead } : undefined
  return { seq: Number(seq), head, seen, after }
}

/** Returns the cursor at `position`, and whether there are changes after it, of which `seen` is the newest. */
function endAt(position: Position, seen: Position) {
  const more = position.seq < seen.seq
  return { cursor: more ? `${cursorOf(position)}.${cursorOf(seen)}` : cursorOf(position), more }
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

/** Returns the tasks that are not deleted, ordered by id, and then the position at which this began. */
async function findAll(
  db: Db,
  owner: string,
  { after, ...start }: Since & { after: string },
  limit: number,
): Promise<Delta> {
  let scan = db.selectFrom('tasks').where('user_id', '=', owner).orderBy('id')
  if (after) scan = scan.where('id', '>', after)
  const scanned = scan.select(['id', 'deleted_at', storedBytes.as('bytes')]).limit(tasksPerScan)
  const sizes = await db
    .selectFrom(scanned.as('scanned'))
    .select(['id', 'bytes'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  // With fewer tasks than fit, the scan may have ended among deleted tasks.
  const end = sizes.length > limit ? undefined : await findLastScanned(scan)
  const ids = sizes.slice(0, limit).map(({ id }) => id)
  const fitting = ids.slice(0, ids.length && countFitting(sizes.slice(0, limit).map(({ bytes }) => bytes)))
  const rows = await selectTasks(db, owner, fitting)
  const tasks = endPage(rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(toTask))
  const isWhole = sizes.length === fitting.length && tasks.length === rows.length
  const last = isWhole ? end : tasks.length < rows.length ? tasks.at(-1)?._id : fitting.at(-1)
  const seen = await findHead(db, owner)
  if (last === undefined) return { tasks, purged: [], ...endAt(start, seen) }
  return { tasks, purged: [], cursor: `${cursorOf(start)}.${cursorOf(seen)}.${last}`, more: true }
}

/** Returns the id of the last task of a full scan, or undefined if there are no further tasks. */
async function findLastScanned(scan: SelectQueryBuilder<Schema, 'tasks', object>) {
  const last = scan
    .select('id')
    .limit(1)
    .offset(tasksPerScan - 1)
  return (await last.executeTakeFirst())?.id
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

/** Returns the tasks whose newest change is after `since`, ordered by that change. */
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
  // The id of a purged task may be used again: a client must not remove the new task.
  const returned = new Set(tasks.map(({ _id }) => _id))
  const purges = passed.flatMap(({ kind, item }) => (kind === 'purge' && item !== null ? [item] : []))
  const purged = [...new Set(purges)].filter((id) => !returned.has(id))
  const last = passed.at(-1)
  const next = last ? { seq: last.seq, head: last.id } : since
  return { tasks, purged, ...endAt(next, await findHead(db, userId)) }
}

/** Returns the number of leading changes of at most `limit` items. */
function countChanges(log: { item: string | null }[], limit: number): number {
  const items = new Set<string>()
  const end = log.findIndex(({ item }) => item !== null && items.add(item).size > limit)
  return end < 0 ? log.length : end
}

type Range = { owner: string; after: number; upTo: number }

/** The tasks whose newest change is in the range, ordered by that change. They are found through the log. */
function selectInRange(db: Db, { owner, after, upTo }: Range) {
  const items = db
    .selectFrom('changes')
    .select(sql<string>`item`.as('item'))
    .where('user_id', '=', owner)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
  return db
    .selectFrom('tasks')
    .where('user_id', '=', owner)
    .where('id', 'in', items)
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .orderBy('version')
}

const selectShort = compiledQuery((db, value: Range) =>
  selectInRange(db, value)
    .select(taskColumns.filter((column) => column !== 'body'))
    .select(bodyIfShort.as('body')),
)

/** Null for a long body. Both engines know the length of a text without reading it. */
const bodyIfShort = sql<string | null>`case when octet_length(body) <= ${sql.lit(shortBody)} then body end`

const isWhole = <Row extends { body: string | null }>(row: Row): row is Row & { body: string } =>
  row.body !== null

const selectSizes = compiledQuery((db, value: Range) =>
  selectInRange(db, value).select(storedBytes.as('bytes')),
)

const selectLong = compiledQuery((db, value: Range & { limit: number }) =>
  selectInRange(db, value).select(taskColumns).limit(sql<number>`${value.limit}`),
)

/** Reads no more than one page. */
async function selectFitting(db: Db, range: Range): Promise<TaskRow[]> {
  const sizes = (await selectSizes(db, range)).rows
  return (await selectLong(db, { ...range, limit: countFitting(sizes.map(({ bytes }) => bytes)) })).rows
}
