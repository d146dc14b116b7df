import { randomUUID } from 'node:crypto'
import { tasksPerUser } from '#contract/limits.ts'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { accountGone, conflict } from '../errors.ts'
import { newId } from '../new-id.ts'
import { bytesOf, rankOf, storedBytes, type TaskRow, taskColumns, toTask } from './task-row.ts'

const insertRow = compiledQuery((db, row: TaskRow & { user_id: string }) =>
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

/** Throws a 409 if the owner has too many tasks or would exceed `quota`, the bytes of titles and bodies per account. */
export async function insertTask(
  db: Db,
  owner: string,
  draft: TaskDraft,
  { quota, now }: { quota: number; now: number },
): Promise<Task> {
  const { title, body = '', dueDate, priority } = draft
  await changeTasks(db, owner, { tasks: +1, bytes: bytesOf({ title, body }) }, quota)
  const row: TaskRow = {
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

/** Returns the updated task, or undefined if the owner has no task with this id. A draft without `body` keeps the stored one. */
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
    // Another server may have changed or deleted the task in the meantime.
    if (!row) continue
    await changeTasks(db, owner, { tasks: 0, bytes: bytesOf(row) - before.bytes }, quota)
    return toTask(row)
  }
}

/** Returns whether the owner had a task with this id. */
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
 * Updates the number, bytes and version of the owner's tasks. Every change of tasks calls it in its transaction. The
 * version is a random id, because a counter value that was lost in a disk failure would be assigned again. A change that
 * stores no more than before succeeds above the quota, which may have been lowered.
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
  // The account may have been deleted after the token was checked.
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
