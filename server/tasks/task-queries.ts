import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { tasksPerUser } from '#contract/limits.ts'
import { type List, priorities } from '#contract/lists.ts'
import type { Priority, Task, TaskDraft } from '#contract/tasks.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import { accountGone, conflict } from '../errors.ts'
import { newId } from '../new-id.ts'
import type { Position } from './cursor.ts'
import { countFitting, endPage, shortBody } from './task-page.ts'

/** The stored number of a priority is its place in the order of lists, from 1. */
const rankOf = (priority: Priority) => priorities.indexOf(priority) + 1

const taskColumns = ['id', 'title', 'body', 'due_date', 'priority', 'created_at'] as const
type Row = Pick<Schema['tasks'], (typeof taskColumns)[number]>

const toTask = (row: Row): Task => ({
  _id: row.id,
  title: row.title,
  body: row.body,
  dueDate: row.due_date,
  priority: priorities[row.priority - 1] as Priority,
  createdAt: new Date(row.created_at).toISOString(),
})

/** What a task adds to its owner's `stored_bytes`, in SQL and here. */
const storedBytes = sql<number>`octet_length(title) + octet_length(body)`
const bytesOf = ({ title, body }: Pick<Row, 'title' | 'body'>) =>
  Buffer.byteLength(title) + Buffer.byteLength(body)

/** The column of each field that a list names. */
const columnOf = { _id: 'id', dueDate: 'due_date', priority: 'priority' } as const

/**
 * The owner's next tasks of the list behind `after`, `limit` or as many as a page's bytes hold, and the position behind
 * which there are more. `today` is the caller's day, `YYYY-MM-DD`.
 */
export async function findTasks(
  db: Db,
  owner: string,
  list: List,
  { today, limit, after }: { today: string; limit: number; after?: Position | undefined },
): Promise<{ tasks: Task[]; next: Position | undefined }> {
  const query = selectListed(db, owner, list, today, after)
  const found = await query
    .select(['id', 'title', 'due_date', 'priority', 'created_at', bodyIfShort])
    .limit(limit + 1)
    .execute()
  const tasks = found.slice(0, limit)
  const page = endPage((tasks.every(isWhole) ? tasks : await findLong(query, limit)).map(toTask))
  const last = page.at(-1)
  return { tasks: page, next: last && found.length > page.length ? positionOf(list, last) : undefined }
}

const bodyIfShort = sql<
  string | null
>`case when octet_length(body) <= ${sql.lit(shortBody)} then body end`.as('body')

const isWhole = <Found extends { body: string | null }>(row: Found): row is Found & { body: string } =>
  row.body !== null

/** The engines know a text's length without reading it, so that no more is read than a page may hold. */
async function findLong(query: ReturnType<typeof selectListed>, limit: number): Promise<Row[]> {
  const sizes = await query.select(storedBytes.as('bytes')).limit(limit).execute()
  const count = countFitting(sizes.map(({ bytes }) => bytes))
  return await query.select(taskColumns).limit(count).execute()
}

function selectListed(
  db: Db,
  owner: string,
  { where, order, direction }: List,
  today: string,
  after: Position | undefined,
) {
  const columns = order.map((field) => columnOf[field])
  const [sort, isBehind] = direction === 'ascending' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  let query = db.selectFrom('tasks').where('user_id', '=', owner)
  for (const [field, operator, value] of where) {
    query =
      field === 'priority'
        ? query.where('priority', operator, rankOf(value))
        : query.where('due_date', operator, today)
  }
  if (after) {
    const position = sql.join(columns.map((column) => sql.ref(column)))
    query = query.where(sql<boolean>`(${position}) ${sql.raw(isBehind)} (${sql.join(after)})`)
  }
  for (const column of columns) query = query.orderBy(column, sort)
  return query
}

const positionOf = ({ order }: List, task: Task): Position =>
  order.map((field) => (field === 'priority' ? rankOf(task.priority) : task[field]))

const insertRow = compiledQuery((db, row: Row & { user_id: string }) =>
  db.insertInto('tasks').values({
    user_id: row.user_id,
    id: row.id,
    title: row.title,
    body: row.body,
    due_date: row.due_date,
    priority: row.priority,
    created_at: row.created_at,
  }),
)

/** `quota`: bytes of titles and bodies that one account may store. */
export async function insertTask(
  db: Db,
  owner: string,
  draft: TaskDraft,
  { quota, now }: { quota: number; now: number },
): Promise<Task> {
  const { title, body = '', dueDate, priority } = draft
  await changeTasks(db, owner, { tasks: +1, bytes: bytesOf({ title, body }) }, quota)
  const row: Row = {
    id: newId(),
    title,
    body,
    due_date: dueDate,
    priority: rankOf(priority),
    created_at: now,
  }
  await insertRow(db, { user_id: owner, ...row })
  return toTask(row)
}

/** The stored task, or undefined where the owner has none of that id. Without `body` in the draft the stored one stays. */
export async function updateTask(
  db: Db,
  owner: string,
  id: string,
  draft: TaskDraft,
  quota: number,
): Promise<Task | undefined> {
  for (;;) {
    const before = await db
      .selectFrom('tasks')
      .where('user_id', '=', owner)
      .where('id', '=', id)
      .select(storedBytes.as('bytes'))
      .executeTakeFirst()
    if (!before) return undefined
    const row = await db
      .updateTable('tasks')
      .set(columnsOf(draft))
      .where('user_id', '=', owner)
      .where('id', '=', id)
      .where(storedBytes, '=', before.bytes)
      .returning(taskColumns)
      .executeTakeFirst()
    // Another server may have changed or deleted it since it was measured.
    if (!row) continue
    await changeTasks(db, owner, { tasks: 0, bytes: bytesOf(row) - before.bytes }, quota)
    return toTask(row)
  }
}

/** Whether the owner had a task of that id. */
export async function deleteTask(db: Db, owner: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('tasks')
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .returning(storedBytes.as('bytes'))
    .executeTakeFirst()
  if (deleted) await changeTasks(db, owner, { tasks: -1, bytes: -deleted.bytes })
  return deleted !== undefined
}

const columnsOf = ({ title, body, dueDate, priority }: TaskDraft) => ({
  title,
  ...(body === undefined ? {} : { body }),
  due_date: dueDate,
  priority: rankOf(priority),
})

type Counts = {
  owner: string
  tasks: number
  bytes: number
  version: string
  maxTasks: number
  maxBytes: number
}

const updateCounts = compiledQuery((db, value: Counts) =>
  db
    .updateTable('users')
    .set((row) => ({
      task_count: row('task_count', '+', value.tasks),
      stored_bytes: row('stored_bytes', '+', value.bytes),
      tasks_version: value.version,
    }))
    .where('id', '=', value.owner)
    .where('closed_at', 'is', null)
    .where('task_count', '<=', value.maxTasks)
    .where('stored_bytes', '<=', value.maxBytes),
)

/**
 * Belongs to every change of a user's tasks, in its transaction: their number, bytes and version move with them.
 * A version is an id, not a count: one that was lost with a failing disk or rolled back must not come again.
 * What stores no more than before succeeds also above the quota, which may have been lowered since.
 */
async function changeTasks(
  db: Db,
  owner: string,
  { tasks, bytes }: { tasks: -1 | 0 | 1; bytes: number },
  quota = Number.MAX_SAFE_INTEGER,
) {
  const maxTasks = tasksPerUser - tasks
  const maxBytes = bytes > 0 ? quota - bytes : Number.MAX_SAFE_INTEGER
  const version = randomUUID()
  const { numAffectedRows } = await updateCounts(db, { owner, tasks, bytes, version, maxTasks, maxBytes })
  if (numAffectedRows) return
  const account = await db
    .selectFrom('users')
    .select(['task_count', 'stored_bytes'])
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  // The account may have gone since the caller's token was checked.
  if (!account) throw accountGone()
  throw account.task_count > maxTasks ? tooManyTasks() : overQuota(account.stored_bytes, bytes, quota)
}

const tooManyTasks = () =>
  conflict(`You have ${inDigits(tasksPerUser)} tasks, as many as one account keeps. Delete some first.`)

const overQuota = (stored: number, more: number, quota: number) =>
  conflict(
    `Your tasks take up ${inDigits(stored)} bytes and this would add ${inDigits(more)}; one account stores at most ` +
      `${inDigits(quota)}. Delete or shorten some first.`,
  )

const inDigits = (count: number) => count.toLocaleString('en')
