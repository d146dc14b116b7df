import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { tasksPerUser } from '#contract/limits.ts'
import { type List, priorities } from '#contract/lists.ts'
import type { Priority, Task, TaskDraft } from '#contract/tasks.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import { accountGone, conflict } from '../errors.ts'
import { newId } from '../new-id.ts'
import { userExists } from '../users/user-queries.ts'
import type { Position } from './cursor.ts'

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

/** The column of each field that a list names. */
const columnOf = { _id: 'id', dueDate: 'due_date', priority: 'priority' } as const

/**
 * The owner's next `limit` tasks of the list behind `after`, and the position behind which there are more.
 * `today` is the caller's day, `YYYY-MM-DD`.
 */
export async function findTasks(
  db: Db,
  owner: string,
  { where, order, direction }: List,
  { today, limit, after }: { today: string; limit: number; after?: Position | undefined },
): Promise<{ tasks: Task[]; next: Position | undefined }> {
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
  const rows = await query
    .select(taskColumns)
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    tasks: page.map(toTask),
    next: last && rows.length > limit ? columns.map((column) => last[column]) : undefined,
  }
}

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

export async function insertTask(db: Db, owner: string, draft: TaskDraft, now: number): Promise<Task> {
  await changeTasks(db, owner, +1)
  const { title, body = '', dueDate, priority } = draft
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
): Promise<Task | undefined> {
  const row = await db
    .updateTable('tasks')
    .set(columnsOf(draft))
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .returning(taskColumns)
    .executeTakeFirst()
  if (row) await changeTasks(db, owner, 0)
  return row && toTask(row)
}

/** Whether the owner had a task of that id. */
export async function deleteTask(db: Db, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await changeTasks(db, owner, -1)
  return numDeletedRows > 0n
}

const columnsOf = ({ title, body, dueDate, priority }: TaskDraft) => ({
  title,
  ...(body === undefined ? {} : { body }),
  due_date: dueDate,
  priority: rankOf(priority),
})

const updateCount = compiledQuery(
  (db, value: { owner: string; difference: number; version: string; max: number }) =>
    db
      .updateTable('users')
      .set((row) => ({ task_count: row('task_count', '+', value.difference), tasks_version: value.version }))
      .where('id', '=', value.owner)
      .where('closed_at', 'is', null)
      .where('task_count', '<=', value.max),
)

/**
 * Belongs to every change of a user's tasks, in its transaction: their number and version move with them.
 * A version is an id, not a count: one that was lost with a failing disk or rolled back must not come again.
 */
async function changeTasks(db: Db, owner: string, difference: -1 | 0 | 1) {
  const max = tasksPerUser - difference
  const { numAffectedRows } = await updateCount(db, { owner, difference, version: randomUUID(), max })
  if (numAffectedRows) return
  // The account may have gone since the caller's token was checked.
  throw (await userExists(db, owner)) ? tooManyTasks() : accountGone()
}

const tooManyTasks = () =>
  conflict(
    `You have ${tasksPerUser.toLocaleString('en')} tasks, as many as one account keeps. Delete some first.`,
  )
