import { labelledValues } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { change, findUse, type Scope } from '../changes/change.ts'
import type { Cursors } from '../changes/change-log.ts'
import type { Kinds } from '../changes/item-kind.ts'
import { type Author, lockAccount } from '../changes/locked-account.ts'
import type { Origin } from '../changes/new-changes.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { idFor, newId } from '../new-id.ts'
import { taskKind } from './task-kind.ts'

export type Limits = Pick<Scope, 'quota' | 'now'>

const kinds = [taskKind]

export async function findTask(db: Db, owner: string, id: string): Promise<Task | undefined> {
  const [row] = await taskKind.select(db, owner, [id])
  return row && (taskKind.toItem(row) as Task)
}

/**
 * Adds a task, or returns the one that the same `mutation` has added before, as it is now. Throws a 409 if that one was
 * removed for good, and if the owner has too many tasks or would exceed the quota. `kinds`: all that the account may have.
 */
export async function insertTask(
  db: Db,
  author: Author,
  values: TaskValues,
  {
    mutation,
    kinds: all = kinds,
    ...limits
  }: Limits & Pick<Origin, 'mutation'> & Partial<Pick<Scope, 'kinds'>>,
): Promise<{ task: Task } & Cursors> {
  const account = await lockAccount(db, author.userId)
  const { item, ...known } = mutation
    ? await idOfAddition(db, all, author.userId, mutation)
    : ({ item: newId(), items: 'new' } as const)
  const addition = {
    kind: taskKind.name,
    item,
    // A task that the log no longer knows as added is a conflict, which changes nothing.
    base: 0,
    set: labelledValues(taskFields, values),
    ...(mutation && { mutation }),
  }
  const scope = { ...limits, kinds: all, account, itemField: 'Idempotency-Key', setFields: '', ...known }
  const { items, ...cursors } = await change(db, author, [addition], scope)
  const task = items[0]?.item as Task | null
  if (!task) throw new HttpError('addition-purged')
  return { task, ...cursors }
}

/**
 * Returns the same id for each repeat of a mutation. If the mutation is a UUID of version 7, like the ids of items, and no
 * other item has it as its id, it is this id.
 */
async function idOfAddition(
  db: Db,
  kinds: Kinds,
  owner: string,
  mutation: string,
): Promise<Pick<Scope, 'items'> & { item: string }> {
  const use = mutation[14] === '7' ? await findUse(db, kinds, owner, mutation) : 'other'
  if (use === 'other') return { item: idFor(owner, mutation) }
  return { item: mutation, ...(use === undefined && { items: 'new' }) }
}

/**
 * Returns the task as it is stored now, or undefined if the owner has no task with this id that is not deleted. An edit
 * without `body` keeps the stored one. With `base`, the version that was edited, a conflict leaves the task unchanged.
 */
export async function updateTask(
  db: Db,
  author: Author,
  id: string,
  values: TaskValues,
  { base, ...limits }: Limits & { base?: number | undefined },
): Promise<({ task: Task; isConflict: boolean } & Cursors) | undefined> {
  const mutation = {
    kind: taskKind.name,
    item: id,
    set: labelledValues(taskFields, values),
    ...(base !== undefined && { base }),
  }
  const { items, ...cursors } = await change(db, author, [mutation], {
    ...limits,
    kinds,
    items: 'existing',
    setFields: '',
  })
  const { outcome } = items[0] ?? {}
  const task = items[0]?.item as Task | null
  if (task?.deletedAt !== null) return undefined
  return { task, ...cursors, isConflict: outcome === 'conflict' }
}

/** Returns the cursor after the deletion, or undefined if the owner has no task with this id that is not deleted. */
export async function deleteTask(
  db: Db,
  author: Author,
  id: string,
  limits: Limits,
): Promise<string | undefined> {
  const { items, cursor } = await change(
    db,
    author,
    [{ kind: taskKind.name, item: id, set: { deleted: true } }],
    { ...limits, kinds, items: 'existing' },
  )
  return items[0]?.changed ? cursor : undefined
}
