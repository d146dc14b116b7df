import { type Static, Type } from 'typebox'
import { bodyLength, pageSize, titleLength } from './limits.ts'

export const Priority = Type.Enum(['high', 'medium', 'low'])
export type Priority = Static<typeof Priority>

/** A civil day, `YYYY-MM-DD`: the same day wherever it is read. */
const Day = Type.String({ format: 'day', examples: ['2026-11-21'] })
const Title = Type.String({
  format: 'text',
  pattern: '\\S',
  minLength: titleLength.min,
  maxLength: titleLength.max,
})
const Body = Type.String({ format: 'text', maxLength: bodyLength.max })
const Id = Type.String({ format: 'uuid' })

/** Specification section 3, Task. */
export const Task = Type.Object({
  _id: Id,
  title: Title,
  body: Body,
  dueDate: Day,
  priority: Priority,
  createdAt: Type.String({ format: 'date-time' }),
})
export type Task = Static<typeof Task>

/** What adding and editing send. An edit without `body` keeps the stored one; a new task without it has an empty one. */
export const TaskDraft = Type.Object({
  title: Title,
  body: Type.Optional(Body),
  dueDate: Day,
  priority: Priority,
})
export type TaskDraft = Static<typeof TaskDraft>

export const TaskPage = Type.Object({
  lists: Type.Array(Task),
  nextCursor: Type.Optional(
    Type.String({ description: 'Send it as ?cursor= for the tasks that follow; absent on the last page' }),
  ),
})
export type TaskPage = Static<typeof TaskPage>

const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSize.max, default: pageSize.default })),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
})
export type PageQuery = Static<typeof PageQuery>

/** Whose today: the caller's zone, or the server's own where it is absent. */
const ZoneHeader = Type.Object({
  'time-zone': Type.Optional(Type.String({ format: 'time-zone', examples: ['Europe/Lisbon'] })),
})

const ById = Type.Object({ id: Id })
const list = { query: PageQuery, response: TaskPage }
const Stored = Type.Object({ task: Task })

export const taskEndpoints = {
  'GET /list/getTodayTasks': { ...list, headers: ZoneHeader },
  'GET /list/getLatestTasks': list,
  'GET /list/getHighPriorityTasks': list,
  'GET /list/getMediumPriorityTasks': list,
  'GET /list/getLowPriorityTasks': list,
  'POST /list/addTask': { body: TaskDraft, response: Stored },
  'PUT /list/updateTask/:id': { params: ById, body: TaskDraft, response: Stored },
  'DELETE /list/deleteTask/:id': { params: ById, response: Type.Object({}) },
}
