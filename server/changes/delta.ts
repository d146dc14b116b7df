import type { SelectQueryBuilder } from 'kysely'
import type { Delta } from '#contract/changes.ts'
import { changesPerCall } from '#contract/limits.ts'
import type { Db, Schema } from '../database/schema.ts'
import { accountGone, badRequest } from '../errors.ts'
import { cursorOf } from './change-log.ts'
import { selectTasks } from './stored-tasks.ts'
import { countFitting, endPage } from './task-page.ts'
import { storedBytes, toTask } from './task-row.ts'

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

/**
 * Returns the changes after a cursor, as many as fit into one response, or all tasks if there is no cursor.
 */
export async function findDelta(
  db: Db,
  owner: Head,
  { since, limit = changesPerCall }: { since?: string | undefined; limit?: number | undefined },
): Promise<Delta> {
  if (since === cursorOf(owner)) return { tasks: [], purged: [], cursor: since, more: false }
  if (since === undefined) return await findAll(db, owner.userId, { ...owner, after: '' }, limit)
  const from = decode(since)
  if (!(await areKnown(db, owner.userId, from.seen ? [from, from.seen] : [from]))) return { reset: true }
  const { after } = from
  return after === undefined
    ? await findChanged(db, owner, from, limit)
    : await findAll(db, owner.userId, { ...from, after }, limit)
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

async function areKnown(db: Db, owner: string, positions: Position[]): Promise<boolean> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'id'])
    .where('user_id', '=', owner)
    .where(
      'seq',
      'in',
      positions.map(({ seq }) => seq),
    )
    .execute()
  return positions.every(({ seq, head }) => rows.some((row) => row.seq === seq && row.id === head))
}

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

/** Must follow the queries for tasks, so that it covers everything that they saw. */
async function findHead(db: Db, owner: string): Promise<Position> {
  const head = await db.selectFrom('users').select(['seq', 'head']).where('id', '=', owner).executeTakeFirst()
  if (!head) throw accountGone()
  return head
}

/** Returns the tasks whose newest change is after `since`, ordered by that change. */
async function findChanged(db: Db, { userId, seq }: Head, since: Position, limit: number): Promise<Delta> {
  const log = await db
    .selectFrom('changes')
    .select(['seq', 'id', 'kind', 'item'])
    .where('user_id', '=', userId)
    .where('seq', '>', since.seq)
    .where('seq', '<=', seq)
    .orderBy('seq')
    .limit(changesPerScan)
    .execute()
  const items = new Set<string>()
  let end = 0
  for (const { item } of log) {
    if (item !== null && !items.has(item) && items.size === limit) break
    if (item !== null) items.add(item)
    end++
  }
  const read = log.slice(0, end)
  const reached = read.at(-1)?.seq ?? since.seq
  const sizes = await selectSizes(db, userId, [...items], since.seq, reached)
  const fitting = sizes.slice(0, sizes.length && countFitting(sizes.map(({ bytes }) => bytes)))
  const rows = await selectTasks(
    db,
    userId,
    fitting.map(({ id }) => id),
  )
  const current = rows.filter(({ version }) => version <= reached).sort((a, b) => a.version - b.version)
  const tasks = endPage(current.map(toTask))
  // A task that did not fit, and everything that was changed after it, follows the new cursor.
  const isCut = tasks.length < current.length || fitting.length < sizes.length
  const stop = isCut ? (tasks.at(-1)?.version ?? fitting.at(-1)?.version ?? reached) : reached
  const passed = read.filter((change) => change.seq <= stop)
  // The id of a purged task may be used again: a client must not remove the new task.
  const returned = new Set(tasks.map(({ _id }) => _id))
  const purges = passed.flatMap(({ kind, item }) => (kind === 'purge' && item !== null ? [item] : []))
  const purged = [...new Set(purges)].filter((id) => !returned.has(id))
  const last = passed.at(-1)
  const next = last ? { seq: last.seq, head: last.id } : since
  return { tasks, purged, ...endAt(next, await findHead(db, userId)) }
}

async function selectSizes(db: Db, owner: string, ids: string[], behind: number, reached: number) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('tasks')
    .select(['id', 'version', storedBytes.as('bytes')])
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .where('version', '>', behind)
    .where('version', '<=', reached)
    .orderBy('version')
    .execute()
}
