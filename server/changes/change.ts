import type { Priority, Task } from '#contract/tasks.ts'
import type { Db } from '../database/schema.ts'
import { badRequest } from '../errors.ts'
import type { Author } from './account.ts'
import { type Log, openLog } from './change-log.ts'
import { merge } from './merging.ts'
import { bytesPerCall } from './stored-tasks.ts'
import { bytesOf, rankOf, type TaskRow, toTask, type Values } from './task-row.ts'

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
  await log.load(
    mutations.map(({ item }) => item),
    tooLong,
  )
  const seen = await findSeen(db, author.userId, mutations)
  const results: Result[] = []
  let bytes = 0
  for (const mutation of mutations) {
    const { outcome, changed } = await apply(log, mutation, { seen, now })
    const row = log.find(mutation.item)
    bytes += row ? bytesOf(row) : 0
    if (bytes > bytesPerCall) throw tooLong()
    results.push({ outcome, changed, task: row ? toTask(row) : null })
  }
  return { results, cursor: await log.save(quota) }
}

async function apply(
  log: Log,
  mutation: Mutation,
  { seen, now }: { seen: Set<string>; now: number },
): Promise<{ outcome: Outcome; changed: boolean }> {
  const key = mutation.mutation && keyOf(mutation.mutation, mutation.item)
  if (key && seen.has(key)) return { outcome: 'duplicate', changed: false }
  const result = await applyNew(log, mutation, now)
  if (key && result.outcome !== 'conflict') seen.add(key)
  return result
}

async function applyNew(
  log: Log,
  { mutation, item, base, set, existing, group }: Mutation,
  now: number,
): Promise<{ outcome: Outcome; changed: boolean }> {
  const origin = { mutation: mutation ?? null, group: group ?? null }
  const row = log.find(item)
  if (existing && row?.deleted_at !== null) return conflict
  if (!row) {
    if (!isWhole(set)) return conflict
    const created = log.create(newRow(item, set, now), origin)
    // Two changes, so that a task that is created as deleted counts like any deleted task.
    if (set.deleted) log.edit(created, { deleted_at: now }, { ...origin, mutation: null })
    return { outcome: 'applied', changed: true }
  }
  const outcome = base === undefined || base === row.version ? 'applied' : 'merged'
  const values = await merge(log, row, valuesOf(set, row, now), base)
  return values ? { outcome, changed: log.edit(row, values, origin) } : conflict
}

const conflict = { outcome: 'conflict', changed: false } as const

const tooLong = () =>
  badRequest('changes', 'too-long', 'must be fewer: the tasks that they change are too long for one call')

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
  { title, body = '', dueDate, priority, done }: WholeSet,
  now: number,
): Omit<TaskRow, 'version'> => ({
  id,
  title,
  body,
  due_date: dueDate,
  priority: rankOf(priority),
  created_at: now,
  done_at: done ? now : null,
  deleted_at: null,
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
