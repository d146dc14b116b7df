import type { Task, TaskDraft } from '#contract/tasks.ts'
import type { Author } from '../changes/account.ts'
import { change, type Limits } from '../changes/change.ts'
import { createAlone } from '../changes/create-alone.ts'
import { newTask } from '../changes/task-kind.ts'
import { toTask } from '../changes/task-row.ts'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'

/** Throws a 409 if the owner has too many tasks or would exceed the quota. */
export async function insertTask(
  db: Db,
  author: Author,
  draft: TaskDraft,
  limits: Limits,
): Promise<{ task: Task; cursor: string }> {
  const { row, cursor } = await createAlone(db, author, newTask(newId(), draft, limits.now), limits)
  return { task: toTask(row), cursor }
}

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
