import type { XStatic } from 'typebox/schema'
import { bodyLength, daysPerCall, pageSize, titleLength } from './limits.ts'
import { dependsOnToday, type ListName, lists, priorities } from './lists.ts'

export const Priority = { enum: priorities } as const
export type Priority = XStatic<typeof Priority>

/** A civil day, `YYYY-MM-DD`, independent of any time zone. */
export const Day = { type: 'string', format: 'day', examples: ['2026-11-21'] } as const
export const Title = {
  type: 'string',
  format: 'text',
  pattern: '\\S',
  minLength: titleLength.min,
  maxLength: titleLength.max,
} as const
export const Body = { type: 'string', format: 'text', maxLength: bodyLength.max } as const
export const Id = { type: 'string', format: 'uuid' } as const

export const Instant = { type: 'string', format: 'date-time' } as const
export const InstantOrNull = { type: ['string', 'null'], format: 'date-time' } as const

/** Specification section 3, Task, and what the log of changes knows of it. */
export const Task = {
  type: 'object',
  required: ['_id', 'title', 'body', 'dueDate', 'priority', 'createdAt', 'version', 'doneAt', 'deletedAt'],
  properties: {
    _id: Id,
    title: Title,
    body: Body,
    dueDate: Day,
    priority: Priority,
    createdAt: Instant,
    version: { type: 'integer', description: 'The number of the newest change of this task' },
    doneAt: InstantOrNull,
    deletedAt: InstantOrNull,
  },
} as const
export type Task = XStatic<typeof Task>

/** The request of adding and editing. Without `body`, an edit keeps the stored one and a new task gets an empty one. */
export const TaskDraft = {
  type: 'object',
  required: ['title', 'dueDate', 'priority'],
  properties: { title: Title, body: Body, dueDate: Day, priority: Priority },
} as const
export type TaskDraft = XStatic<typeof TaskDraft>

export const TaskPage = {
  type: 'object',
  required: ['lists'],
  properties: {
    lists: { type: 'array', items: Task },
    nextCursor: {
      type: 'string',
      description: 'Send it as ?cursor= to get the next page; absent on the last page',
    },
  },
} as const
export type TaskPage = XStatic<typeof TaskPage>

const PageQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.default },
    cursor: { type: 'string', maxLength: 512 },
  },
} as const
export type PageQuery = XStatic<typeof PageQuery>

/** The caller's time zone, which decides the current day. Default: the server's time zone. */
const ZoneHeader = {
  type: 'object',
  properties: { 'time-zone': { type: 'string', format: 'time-zone', examples: ['Europe/Lisbon'] } },
} as const

/** Which version the caller has edited: fields that others have changed since are not overwritten. */
const VersionHeader = {
  type: 'object',
  properties: { 'if-match': { type: 'string', format: 'version', examples: ['"17"'] } },
} as const

/** For a retry after a lost response. */
const RetryHeader = {
  type: 'object',
  properties: {
    'idempotency-key': {
      ...Id,
      description:
        'The client’s id of this addition. If it is sent again within 30 days, with the values that it was last sent with, the task is not added again, unless it was changed since',
    },
  },
} as const

const DayRange = {
  type: 'object',
  required: ['from', 'to'],
  properties: {
    from: Day,
    to: { ...Day, description: `The last day, at most ${daysPerCall} days from the first` },
  },
} as const

const OpenDays = {
  type: 'object',
  required: ['days'],
  properties: {
    days: {
      type: 'array',
      items: {
        type: 'object',
        required: ['day', 'tasks'],
        properties: {
          day: Day,
          tasks: { type: 'integer', description: 'The number of open tasks due on this day' },
        },
      },
      description: 'The days on which open tasks are due, in order',
    },
  },
} as const

const Moved = {
  type: 'object',
  required: ['tasks', 'more'],
  properties: {
    tasks: {
      type: 'array',
      items: Task,
      description: 'The moved tasks: one group, which is undone together',
    },
    more: { type: 'boolean', description: 'Whether there are more overdue tasks than one call moves' },
  },
} as const

const ById = { type: 'object', required: ['id'], properties: { id: Id } } as const
const Stored = { type: 'object', required: ['task'], properties: { task: Task } } as const
const Done = { type: 'object', properties: {} } as const

type ListEndpoint = (typeof lists)[ListName]['endpoint']
type ListCall = { query: typeof PageQuery; headers: typeof ZoneHeader; response: typeof TaskPage }

const listCalls = Object.fromEntries(
  Object.values(lists).map((list) => [
    list.endpoint,
    { query: PageQuery, response: TaskPage, ...(dependsOnToday(list) && { headers: ZoneHeader }) },
  ]),
) as Record<ListEndpoint, ListCall>

export const taskEndpoints = {
  ...listCalls,
  'GET /tasks/openDays': { query: DayRange, response: OpenDays },
  'POST /tasks/moveOverdue': { headers: ZoneHeader, response: Moved },
  'POST /list/addTask': { headers: RetryHeader, body: TaskDraft, response: Stored },
  'GET /tasks/:id': { params: ById, response: Stored },
  'PUT /list/updateTask/:id': { params: ById, headers: VersionHeader, body: TaskDraft, response: Stored },
  'DELETE /list/deleteTask/:id': { params: ById, response: Done },
}
