import type { XStatic } from 'typebox/schema'
import { changesPerCall } from './limits.ts'
import { Body, Day, Id, Priority, Task, Title } from './tasks.ts'

const Version = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const Cursor = {
  type: 'string',
  description: 'A position in the log; ?since= returns the changes after it',
} as const

/** New values of a task's fields. For `done` and `deleted` the server sets `doneAt` and `deletedAt`. */
const TaskSet = {
  type: 'object',
  properties: {
    title: Title,
    body: Body,
    dueDate: Day,
    priority: Priority,
    done: { type: 'boolean' },
    deleted: { type: 'boolean' },
  },
} as const

const Mutation = {
  type: 'object',
  required: ['mutation', 'item', 'set'],
  properties: {
    mutation: {
      ...Id,
      description: 'The client’s id of this mutation; if it is sent again, it is not applied again',
    },
    item: { ...Id, description: 'The id of a task; a new id creates one' },
    base: {
      ...Version,
      description:
        'The version that was edited; 0 if the task must not differ yet; without it, the last write wins',
    },
    set: TaskSet,
    group: { ...Id, description: 'Changes with the same group can be undone together' },
  },
} as const

export const ChangeBatch = {
  type: 'object',
  required: ['changes'],
  properties: { changes: { type: 'array', minItems: 1, maxItems: changesPerCall, items: Mutation } },
} as const

// The serializer is fast for one schema with two types; only `anyOf` tells TypeScript that null is possible.
const TaskOrNull = { ...Task, type: ['object', 'null'] } as unknown as {
  anyOf: [typeof Task, { type: 'null' }]
}

export const ChangeResults = {
  type: 'object',
  required: ['results', 'cursor'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['outcome', 'task'],
        properties: {
          outcome: {
            enum: ['applied', 'merged', 'duplicate', 'conflict'],
            description:
              'merged: other fields were changed since `base`; duplicate: this mutation was applied before; conflict: it was not applied',
          },
          task: { ...TaskOrNull, description: 'The task as it is now, or null if it does not exist' },
        },
      },
    },
    cursor: Cursor,
  },
} as const
export type ChangeResults = XStatic<typeof ChangeResults>

const SinceQuery = {
  type: 'object',
  properties: {
    since: {
      type: 'string',
      maxLength: 256,
      description: 'A cursor; without it, the response begins with all tasks',
    },
    limit: { type: 'integer', minimum: 1, maximum: changesPerCall, default: changesPerCall },
  },
} as const

/**
 * The changes since a cursor, or only `reset`. A client removes a task only if it is in `purged` or has `deletedAt`: a
 * task that is absent has not changed.
 */
export const Delta = {
  type: 'object',
  properties: {
    tasks: {
      type: 'array',
      items: Task,
      description: 'The changed tasks as they are now; deleted ones have `deletedAt`',
    },
    purged: { type: 'array', items: Id, description: 'The ids of tasks that were removed for good' },
    cursor: Cursor,
    more: { type: 'boolean', description: 'Whether there are more changes after the cursor now' },
    reset: {
      type: 'boolean',
      description:
        'The log does not contain the cursor, for example after a restore: send what is unsent with base 0, because versions may have been assigned again, then begin without a cursor',
    },
  },
} as const
export type Delta = XStatic<typeof Delta>

const UndoParams = {
  type: 'object',
  required: ['seq'],
  properties: { seq: { ...Version, minimum: 1 } },
} as const
const UndoQuery = {
  type: 'object',
  properties: {
    group: { type: 'boolean', default: false, description: 'Whether to undo all changes of its group' },
  },
} as const

const text = { type: ['string', 'null'] } as const
const Difference = {
  type: 'object',
  required: ['before', 'after'],
  properties: { before: text, after: text },
} as const

export const History = {
  type: 'object',
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['seq', 'at', 'own', 'changed'],
        properties: {
          seq: Version,
          at: { type: 'string', format: 'date-time' },
          own: { type: 'boolean', description: 'Whether this session made the change' },
          undoes: { ...Version, description: 'The number of the change that this one undoes' },
          changed: {
            type: 'object',
            properties: {
              title: Difference,
              body: Difference,
              dueDate: Difference,
              priority: Difference,
              doneAt: Difference,
              deletedAt: Difference,
            },
          },
        },
      },
    },
    nextCursor: { type: 'string', description: '?cursor= for earlier changes' },
  },
} as const
export type History = XStatic<typeof History>

const HistoryQuery = { type: 'object', properties: { cursor: { type: 'string', maxLength: 512 } } } as const
const ById = { type: 'object', required: ['id'], properties: { id: Id } } as const

export const ChangeEvents = {
  type: 'string',
  description:
    'Server-sent events without an end: `data: CURSOR` at once and after every change, of which several may be one event. The response ends with the session.',
} as const

export const changeEndpoints = {
  'POST /changes': { body: ChangeBatch, response: ChangeResults },
  'GET /changes': { query: SinceQuery, response: Delta },
  'GET /changes/stream': { response: ChangeEvents, mediaType: 'text/event-stream' as const },
  'POST /changes/:seq/undo': { params: UndoParams, query: UndoQuery, response: ChangeResults },
  'GET /items/:id/history': { params: ById, query: HistoryQuery, response: History },
}
