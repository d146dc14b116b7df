import { foldedOf } from '#contract/search.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { storedBytes, type TaskRow, taskColumns } from './task-row.ts'

/** Returns the total size of the titles and bodies of the owner's tasks with these ids. */
export async function sizeOfTasks(db: Db, owner: string, ids: string[]): Promise<number> {
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

/** A row as it is inserted. */
const withFolded = (owner: string, row: TaskRow) => ({
  user_id: owner,
  ...row,
  folded: foldedOf(row),
})

type StoredRow = ReturnType<typeof withFolded>

const insertTask = compiledQuery((db, row: StoredRow) =>
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
    folded: row.folded,
  }),
)

export async function insertRow(db: Db, owner: string, row: TaskRow): Promise<void> {
  await insertTask(db, withFolded(owner, row))
}

export async function insertTasks(db: Db, owner: string, rows: TaskRow[]) {
  await db
    .insertInto('tasks')
    .values(rows.map((row) => withFolded(owner, row)))
    .execute()
}

type Facts = Omit<TaskRow, 'title' | 'body' | 'created_at'> & { owner: string }

/** Without the texts, which may be long: most changes of a task change neither. */
const updateFacts = compiledQuery((db, row: Facts) =>
  db
    .updateTable('tasks')
    .set({
      version: row.version,
      due_date: row.due_date,
      priority: row.priority,
      done_at: row.done_at,
      deleted_at: row.deleted_at,
    })
    .where('user_id', '=', row.owner)
    .where('id', '=', row.id),
)

const updateAll = compiledQuery((db, row: StoredRow) =>
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
      folded: row.folded,
    })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id),
)

/** Stores an edited row, of which these columns were edited. */
export async function updateTask(db: Db, owner: string, row: TaskRow, edited: ReadonlySet<string>) {
  if (edited.has('title') || edited.has('body')) await updateAll(db, withFolded(owner, row))
  else await updateFacts(db, { owner, ...row })
}
