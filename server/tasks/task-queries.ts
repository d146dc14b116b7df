import { randomUUID } from 'node:crypto'
import { type SelectQueryBuilder, sql } from 'kysely'
import { tasksPerUser } from '#contract/limits.ts'
import type { Priority, Task, TaskDraft } from '#contract/tasks.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { Db, Schema } from '../database/schema.ts'
import { accountGone, conflict } from '../errors.ts'
import { newId } from '../new-id.ts'
import { userExists } from '../users/user-queries.ts'
import type { Position } from './cursor.ts'

/** In the order they are listed: the stored number is the place in this list, from 1. */
const priorities: Priority[] = ['high', 'medium', 'low']
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

type Order = readonly (keyof Row)[]

/** A list: which of the owner's tasks are in it, and the columns they are ordered by, the last one unique. */
export type List = {
  name: string
  /** The day on which the list is as it is, where that changes by itself. Its cursors hold from one day to the next. */
  day?: string
  filter: (query: TaskQuery) => TaskQuery
  order: Order
  direction: 'asc' | 'desc'
}
type TaskQuery = SelectQueryBuilder<Schema, 'tasks', object>

/** Due on or before `today` (`YYYY-MM-DD`): what is overdue is not lost. */
export const todayList = (today: string): List => ({
  name: 'today',
  day: today,
  filter: (query) => query.where('due_date', '<=', today),
  order: ['due_date', 'priority', 'id'],
  direction: 'asc',
})

/** Newest first: an id begins with the instant it was made at. */
export const latestList: List = { name: 'latest', filter: (query) => query, order: ['id'], direction: 'desc' }

export const priorityList = (priority: Priority): List => ({
  name: priority,
  filter: (query) => query.where('priority', '=', rankOf(priority)),
  order: ['due_date', 'id'],
  direction: 'asc',
})

/** The owner's next `limit` tasks of the list behind `after`, and the position behind which there are more. */
export async function findTasks(
  db: Db,
  owner: string,
  { filter, order, direction }: List,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<{ tasks: Task[]; next: Position | undefined }> {
  let query = filter(db.selectFrom('tasks').where('user_id', '=', owner))
  if (after) {
    const [columns, values] = [sql.join(order.map((column) => sql.ref(column))), sql.join(after)]
    query = query.where(
      direction === 'asc'
        ? sql<boolean>`(${columns}) > (${values})`
        : sql<boolean>`(${columns}) < (${values})`,
    )
  }
  for (const column of order) query = query.orderBy(column, direction)
  const rows = await query
    .select(taskColumns)
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    tasks: page.map(toTask),
    next: last && rows.length > limit ? order.map((column) => last[column]) : undefined,
  }
}

const insertRow = compiledOnce(
  ['', '', '', '', '', 0, 0],
  (
    db,
    user_id: string,
    id: string,
    title: string,
    body: string,
    due_date: string,
    priority: number,
    created_at: number,
  ) => db.insertInto('tasks').values({ user_id, id, title, body, due_date, priority, created_at }),
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
  await insertRow(db, owner, row.id, title, body, dueDate, row.priority, now)
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

const updateCount = compiledOnce(
  [0, '', '', 0],
  (db, difference: number, version: string, owner: string, most: number) =>
    db
      .updateTable('users')
      .set((row) => ({ task_count: row('task_count', '+', difference), tasks_version: version }))
      .where('id', '=', owner)
      .where('closed_at', 'is', null)
      .where('task_count', '<=', most),
)

/**
 * Belongs to every change of a user's tasks, in its transaction: their number and version move with them.
 * A version is an id, not a count: one that was lost with a failing disk or rolled back must not come again.
 */
async function changeTasks(db: Db, owner: string, difference: -1 | 0 | 1) {
  const most = tasksPerUser - difference
  const { numAffectedRows } = await updateCount(db, difference, randomUUID(), owner, most)
  if (numAffectedRows) return
  // The account may have gone since the caller's token was checked.
  throw (await userExists(db, owner)) ? tooManyTasks() : accountGone()
}

const tooManyTasks = () =>
  conflict(
    `You have ${tasksPerUser.toLocaleString('en')} tasks, as many as one account keeps. Delete some first.`,
  )
