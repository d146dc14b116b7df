import type { Priority, Task } from '#contract/tasks.ts'
import type { Db } from '../database/schema.ts'
import type { Author } from './account.ts'
import { bytesPerCall, differing, type Log, openLog, tooLong } from './change-log.ts'
import { bytesOf, type LoggedColumn, rankOf, type TaskRow, toTask, type Values } from './task-row.ts'

/** New values of a task's fields. For `done` and `deleted` the server sets the current time, or null. */
export type TaskSet = {
  title?: string
  body?: string
  dueDate?: string
  priority?: Priority
  done?: boolean
  deleted?: boolean
}

export type Mutation = {
  /** The client's id of this mutation: a mutation that is sent again is not applied again. */
  mutation?: string
  item: string
  /** The version of the item that the client edited. Without it, the last write wins. */
  base?: number
  set: TaskSet
  /** Whether the item must exist and not be deleted; otherwise it is a conflict. */
  existing?: boolean
  /** Changes with the same group can be undone together. */
  group?: string
}

export type Outcome = 'applied' | 'merged' | 'duplicate' | 'conflict'

/** `changed`: whether the mutation changed any value. */
export type Result = { outcome: Outcome; task: Task | null; changed: boolean }

export type Limits = { quota: number; now: number }

/**
 * Applies the mutations in order, in the caller's transaction. Each is applied as a whole or not at all, and every
 * applied mutation is logged. Returns their results and the cursor after them.
 */
export async function change(
  db: Db,
  author: Author,
  mutations: readonly Mutation[],
  { quota, now }: Limits,
): Promise<{ results: Result[]; cursor: string }> {
  const log = await openLog(db, author, now)
  await log.load(mutations.map(({ item }) => item))
  const seen = await findSeen(db, author.userId, mutations)
  const results: Result[] = []
  let bytes = 0
  for (const mutation of mutations) {
    const { outcome, changed } = await apply(db, author.userId, log, mutation, { seen, now })
    const row = log.find(mutation.item)
    bytes += row ? bytesOf(row) : 0
    if (bytes > bytesPerCall) throw tooLong()
    results.push({ outcome, changed, task: row ? toTask(row) : null })
  }
  return { results, cursor: await log.save(quota) }
}

async function apply(
  db: Db,
  owner: string,
  log: Log,
  { mutation, item, base, set, existing, group }: Mutation,
  { seen, now }: { seen: Set<string>; now: number },
): Promise<{ outcome: Outcome; changed: boolean }> {
  const key = mutation && keyOf(mutation, item)
  if (key && seen.has(key)) return { outcome: 'duplicate', changed: false }
  if (key) seen.add(key)
  const origin = { mutation: mutation ?? null, group: group ?? null }
  const row = log.find(item)
  if (existing && row?.deleted_at !== null) return { outcome: 'conflict', changed: false }
  if (!row) {
    if (!isWhole(set)) return { outcome: 'conflict', changed: false }
    log.create(newRow(item, set, now), origin)
    return { outcome: 'applied', changed: true }
  }
  const values = valuesOf(set, row, now)
  const others =
    base === undefined || base === row.version ? none : await findChangedSince(db, owner, log, row, base)
  const isContested = (field: LoggedColumn) => others === 'unknown' || others.has(field)
  if (differing(row, values).some(isContested)) return { outcome: 'conflict', changed: false }
  const changed = log.edit(row, values, origin)
  return { outcome: others === 'unknown' || others.size > 0 ? 'merged' : 'applied', changed }
}

const none: ReadonlySet<string> = new Set()

/** The maximum number of changes of one item since `base`; after more, nothing is merged. */
const furthestBase = 1000

/** Returns the fields of the item changed since version `base`, or `unknown` if the log does not reach back to it. */
async function findChangedSince(
  db: Db,
  owner: string,
  { account, changedHere }: Log,
  { id, version }: TaskRow,
  base: number,
): Promise<ReadonlySet<string> | 'unknown'> {
  if (base > version) return 'unknown'
  const oldest = await db
    .selectFrom('changes')
    .select('seq')
    .where('user_id', '=', owner)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if ((oldest?.seq ?? account.seq) > base + 1) return 'unknown'
  const since = await db
    .selectFrom('changes')
    .select('fields')
    .where('user_id', '=', owner)
    .where('item', '=', id)
    .where('seq', '>', base)
    .limit(furthestBase)
    .execute()
  if (since.length === furthestBase) return 'unknown'
  const inThisCall = changedHere(id, base)
  return new Set([...since.map(({ fields }) => fields), ...inThisCall].flatMap((fields) => fields.split(' ')))
}

const keyOf = (mutation: string, item: string) => `${mutation} ${item}`

async function findSeen(db: Db, owner: string, mutations: readonly Mutation[]): Promise<Set<string>> {
  const ids = mutations.flatMap(({ mutation }) => mutation ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('changes')
    .select(['mutation', 'item'])
    .where('user_id', '=', owner)
    .where('mutation', 'in', ids)
    .execute()
  return new Set(rows.map(({ mutation, item }) => keyOf(String(mutation), String(item))))
}

type WholeSet = TaskSet & Required<Pick<TaskSet, 'title' | 'dueDate' | 'priority'>>

const isWhole = (set: TaskSet): set is WholeSet =>
  set.title !== undefined && set.dueDate !== undefined && set.priority !== undefined

export const newRow = (
  id: string,
  { title, body = '', dueDate, priority, done, deleted }: WholeSet,
  now: number,
): Omit<TaskRow, 'version'> => ({
  id,
  title,
  body,
  due_date: dueDate,
  priority: rankOf(priority),
  created_at: now,
  done_at: done ? now : null,
  deleted_at: deleted ? now : null,
})

/** A task that is already done or deleted keeps its instant. */
function valuesOf(set: TaskSet, row: TaskRow, now: number): Values {
  const since = (is: boolean, at: number | null) => (is ? (at ?? now) : null)
  return {
    ...(set.title !== undefined && { title: set.title }),
    ...(set.body !== undefined && { body: set.body }),
    ...(set.dueDate !== undefined && { due_date: set.dueDate }),
    ...(set.priority !== undefined && { priority: rankOf(set.priority) }),
    ...(set.done !== undefined && { done_at: since(set.done, row.done_at) }),
    ...(set.deleted !== undefined && { deleted_at: since(set.deleted, row.deleted_at) }),
  }
}
