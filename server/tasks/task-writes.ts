import type { Task, TaskDraft } from '#contract/tasks.ts'
import { type Author, lockAccount } from '../changes/account.ts'
import { change, type Limits } from '../changes/change.ts'
import { cursorOf, type Origin } from '../changes/change-log.ts'
import { createAlone } from '../changes/create-alone.ts'
import { findTask } from '../changes/stored-tasks.ts'
import { newTask } from '../changes/task-kind.ts'
import { rankOf, type TaskRow, toTask } from '../changes/task-row.ts'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'

/**
 * Adds a task, or returns the one that the same `mutation` has added with the same values before. Throws a 409 if the owner
 * has too many tasks or would exceed the quota.
 */
export async function insertTask(
  db: Db,
  author: Author,
  draft: TaskDraft,
  options: Limits & Pick<Origin, 'mutation'>,
): Promise<{ task: Task; cursor: string }> {
  if (options.mutation) {
    // Before the task is looked for, so that a concurrent call does not add it as well.
    const account = await lockAccount(db, author.userId)
    const added = await findAdded(db, author.userId, options.mutation)
    if (added && isDraftOf(added, draft)) return { task: toTask(added), cursor: cursorOf(account) }
  }
  const { row, cursor } = await createAlone(db, author, newTask(newId(), draft, options.now), options)
  return { task: toTask(row), cursor }
}

/** Returns the item with the highest id that the mutation has changed, if it is a task and was not changed since. */
async function findAdded(db: Db, owner: string, mutation: string): Promise<TaskRow | undefined> {
  const change = await db
    .selectFrom('changes')
    .select(['item', 'seq'])
    .where('user_id', '=', owner)
    .where('mutation', '=', mutation)
    .orderBy('item', 'desc')
    .limit(1)
    .executeTakeFirst()
  const task = change?.item ? await findTask(db, owner, change.item) : undefined
  return task?.version === change?.seq ? task : undefined
}

const isDraftOf = (row: TaskRow, { title, body = '', dueDate, priority }: TaskDraft) =>
  row.title === title && row.body === body && row.due_date === dueDate && row.priority === rankOf(priority)

/**
 * Returns the task as it is stored now, or undefined if the owner has no task with this id that is not deleted. A draft
 * without `body` keeps the stored one. With `base`, the version that was edited, a conflict leaves the task unchanged.
 */
export async function updateTask(
  db: Db,
  author: Author,
  id: string,
  draft: TaskDraft,
  { base, ...limits }: Limits & { base?: number | undefined },
): Promise<{ task: Task; cursor: string; isConflict: boolean } | undefined> {
  const { title, body, dueDate, priority } = draft
  const set = { title, dueDate, priority, ...(body !== undefined && { body }) }
  const mutation = { item: id, set, existing: true, ...(base !== undefined && { base }) }
  const { results, cursor } = await change(db, author, [mutation], limits)
  const { outcome, task } = results[0] ?? {}
  return task?.deletedAt === null ? { task, cursor, isConflict: outcome === 'conflict' } : undefined
}

/** Returns the cursor after the deletion, or undefined if the owner has no task with this id that is not deleted. */
export async function deleteTask(
  db: Db,
  author: Author,
  id: string,
  limits: Limits,
): Promise<string | undefined> {
  const { results, cursor } = await change(
    db,
    author,
    [{ item: id, set: { deleted: true }, existing: true }],
    limits,
  )
  return results[0]?.changed ? cursor : undefined
}
