import { sql } from 'kysely'
import { priorities } from '#contract/lists.ts'
import type { Priority, Task } from '#contract/tasks.ts'
import type { Schema } from '../database/schema.ts'

/** The stored number of a priority: its position in the order of lists, from 1. */
export const rankOf = (priority: Priority) => priorities.indexOf(priority) + 1

export const taskColumns = ['id', 'title', 'body', 'due_date', 'priority', 'created_at'] as const
export type TaskRow = Pick<Schema['tasks'], (typeof taskColumns)[number]>

export const toTask = (row: TaskRow): Task => ({
  _id: row.id,
  title: row.title,
  body: row.body,
  dueDate: row.due_date,
  priority: priorities[row.priority - 1] as Priority,
  createdAt: new Date(row.created_at).toISOString(),
})

/** The bytes of a task that count towards its owner's `stored_bytes`, in SQL and in TypeScript. */
export const storedBytes = sql<number>`octet_length(title) + octet_length(body)`
export const bytesOf = ({ title, body }: Pick<TaskRow, 'title' | 'body'>) =>
  Buffer.byteLength(title) + Buffer.byteLength(body)
