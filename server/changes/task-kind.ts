import { type ItemSet, instantOf, type Kind } from './item-kind.ts'
import { insertTasks, selectTasks, sizeOfTasks, updateTask } from './stored-tasks.ts'
import { bytesOf, loggedColumns, rankOf, type TaskRow, toTask } from './task-row.ts'

type WholeSet = ItemSet & Required<Pick<ItemSet, 'title' | 'dueDate' | 'priority'>>

const isWhole = (set: ItemSet): set is WholeSet =>
  set.title !== undefined && set.dueDate !== undefined && set.priority !== undefined

export const newTask = (
  id: string,
  { title, body = '', dueDate, priority, done }: WholeSet,
  now: number,
): TaskRow => ({
  id,
  version: 0,
  title,
  body,
  due_date: dueDate,
  priority: rankOf(priority),
  created_at: now,
  done_at: done ? now : null,
  deleted_at: null,
})

export const taskKind: Kind<TaskRow> = {
  name: 'task',
  table: 'tasks',
  columns: loggedColumns,
  fields: ['title', 'body', 'dueDate', 'priority', 'done', 'deleted'],
  bytesOf,
  sizeOf: sizeOfTasks,
  select: selectTasks,
  insert: insertTasks,
  update: updateTask,
  create: (id, set, { now }) => (isWhole(set) ? newTask(id, set, now) : undefined),

  valuesOf: (set, row, now) => ({
    ...(set.title !== undefined && { title: set.title }),
    ...(set.body !== undefined && { body: set.body }),
    ...(set.dueDate !== undefined && { due_date: set.dueDate }),
    ...(set.priority !== undefined && { priority: rankOf(set.priority) }),
    ...(set.done !== undefined && { done_at: instantOf(set.done, row.done_at, now) }),
    ...(set.deleted !== undefined && { deleted_at: instantOf(set.deleted, row.deleted_at, now) }),
  }),

  edit(row, fields, values) {
    const before = Object.fromEntries(fields.map((field) => [field, row[field as keyof TaskRow]]))
    for (const field of fields) Object.assign(row, { [field]: values[field] })
    return { before }
  },

  valuesBefore: async (_db, _owner, before) => before,
  toResult: (row) => ({ task: row ? toTask(row) : null }),
}
