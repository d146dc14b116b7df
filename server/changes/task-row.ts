import { sql } from 'kysely'
import { priorities } from '#contract/lists.ts'
import type { Priority, Task } from '#contract/tasks.ts'
import type { Schema } from '../database/schema.ts'
import type { TaskColumn } from './item-kind.ts'

export type TaskRow = Omit<Schema['tasks'], 'user_id' | 'folded'>

export const taskColumns = [
  ...(['id', 'version', 'title', 'due_date', 'priority'] as const),
  ...(['created_at', 'done_at', 'deleted_at', 'body'] as const),
] as const satisfies (keyof TaskRow)[]

/** The columns whose changes are logged. */
export const loggedColumns = [
  'title',
  'body',
  'due_date',
  'priority',
  'done_at',
  'deleted_at',
] as const satisfies TaskColumn[]

/** The stored number of a priority: its position in the order of lists, from 1. */
export const rankOf = (priority: Priority) => priorities.indexOf(priority) + 1
export const priorityOf = (rank: number) => priorities[rank - 1] as Priority

export const toInstant = (at: number) => new Date(at).toISOString()
export const toInstantOrNull = (at: number | null) => (at === null ? null : toInstant(at))

export const toTask = (row: TaskRow): Task => ({
  _id: row.id,
  title: row.title,
  body: row.body,
  dueDate: row.due_date,
  priority: priorityOf(row.priority),
  createdAt: toInstant(row.created_at),
  version: row.version,
  doneAt: toInstantOrNull(row.done_at),
  deletedAt: toInstantOrNull(row.deleted_at),
})

/** The bytes of a task that count towards its owner's `stored_bytes`, in SQL and in TypeScript. */
export const storedBytes = sql<number>`octet_length(title) + octet_length(body)`
export const bytesOf = ({ title, body }: Pick<TaskRow, 'title' | 'body'>) =>
  Buffer.byteLength(title) + Buffer.byteLength(body)
