import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { storedBytes, type TaskRow, taskColumns } from './task-row.ts'

/** The maximum size of the titles, bodies and old values that one call with several changes reads. */
export const bytesPerCall = 4 * 1_048_576

/** Returns the total size of the titles and bodies of the owner's tasks with these ids. */
export async function sizeOf(db: Db, owner: string, ids: string[]): Promise<number> {
  const sizes = await db
    .selectFrom('tasks')
    .select(storedBytes.as('bytes'))
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .execute()
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Returns the owner's tasks with these ids, deleted or not. */
export async function selectTasks(db: Db, owner: string, ids: string[]): Promise<TaskRow[]> {
  const [id] = ids
  if (id === undefined) return []
  if (ids.length === 1) return (await selectTask(db, { owner, id })).rows
  return await db
    .selectFrom('tasks')
    .select(taskColumns)
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .execute()
}

const selectTask = compiledQuery((db, value: { owner: string; id: string }) =>
  db.selectFrom('tasks').select(taskColumns).where('user_id', '=', value.owner).where('id', '=', value.id),
)

/** Returns the owner's task with this id, deleted or not. */
export async function findTask(db: Db, owner: string, id: string): Promise<TaskRow | undefined> {
  return (await selectTask(db, { owner, id })).rows[0]
}

export const insertRow = compiledQuery((db, row: TaskRow & { user_id: string }) =>
  db.insertInto('tasks').values({
    user_id: row.user_id,
    id: row.id,
    version: row.version,
    title: row.title,
    due_date: row.due_date,
    priority: row.priority,
    created_at: row.created_at,
    done_at: row.done_at,
    deleted_at: row.deleted_at,
    body: row.body,
  }),
)

export const updateRow = compiledQuery((db, row: TaskRow & { user_id: string }) =>
  db
    .updateTable('tasks')
    .set({
      version: row.version,
      title: row.title,
      due_date: row.due_date,
      priority: row.priority,
      done_at: row.done_at,
      deleted_at: row.deleted_at,
      body: row.body,
    })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id),
)
