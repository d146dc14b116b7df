import type { XStatic } from 'typebox/schema'
import { changesPerCall } from './limits.ts'
import { Note, NoteSummary, NoteText } from './notes.ts'
import { Body, Day, Id, Priority, Task, Title } from './tasks.ts'

const Version = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const Cursor = {
  type: 'string',
  description: 'A position in the log; ?since= returns the changes after it',
} as const

/** The kinds of items that a user has. An id belongs to one item, whatever its kind. */
export const kinds = ['task', 'note'] as const

/**
 * New values of an item's fields: `text`, `pinned` and `deleted` for a note, all others and `deleted` for a task. For `done`
 * and `deleted` the server sets `doneAt` and `deletedAt`.
 */
const ItemSet = {
  type: 'object',
  properties: {
    title: Title,
    body: Body,
    dueDate: Day,
    priority: Priority,
    done: { type: 'boolean' },
    text: {
      ...NoteText,
      description: 'The whole text of a note; requires `base`, which is 0 for a new note',
    },
    pinned: { type: 'boolean' },
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
    item: { ...Id, description: 'The id of a task or note; a new id creates one' },
    kind: { enum: kinds, description: 'The kind of the item; without it, a task' },
    base: {
      ...Version,
      description:
        'The version that was edited; 0 if the item must not differ yet; without it, the last write wins',
    },
    set: ItemSet,
    group: {
      ...Id,
      description:
        'Changes with the same group can be undone together. A text that is saved with a group begins a new version of the note, so that this change can be undone',
    },
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
const NoteOrNull = { ...Note, type: ['object', 'null'] } as unknown as {
  anyOf: [typeof Note, { type: 'null' }]
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
          task: {
            ...TaskOrNull,
            description: 'The task as it is now; null if it does not exist or is a note',
          },
          note: {
            ...NoteOrNull,
            description: 'For a note only: the note as it is now, or null if it does not exist',
          },
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
      description: 'A cursor; without it, the response begins with all tasks and notes',
    },
    limit: { type: 'integer', minimum: 1, maximum: changesPerCall, default: changesPerCall },
  },
} as const

/**
 * The changes since a cursor, or only `reset`. A client removes an item only if it is in `purged` or has `deletedAt`: an
 * item that is absent has not changed.
 */
export const Delta = {
  type: 'object',
  properties: {
    tasks: {
      type: 'array',
      items: Task,
      description: 'The changed tasks as they are now; deleted ones have `deletedAt`',
    },
    notes: {
      type: 'array',
      items: NoteSummary,
      description: 'The changed notes as they are now; deleted ones have `deletedAt`',
    },
    purged: {
      type: 'array',
      items: Id,
      description: 'The ids of tasks and notes that were removed for good',
    },
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
          length: {
            type: 'integer',
            description: 'For a version of a note: the length of its text in characters',
          },
          changed: {
            type: 'object',
            description:
              'For a note: in `text` the first line that differs from the previous version, shortened; null where there is none',
            properties: {
              title: Difference,
              body: Difference,
              dueDate: Difference,
              priority: Difference,
              doneAt: Difference,
              deletedAt: Difference,
              text: Difference,
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

const Purge = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      minItems: 1,
      maxItems: changesPerCall,
      items: Id,
      description:
        'The ids of deleted tasks and notes. Others, and those that were restored, are left as they are',
    },
  },
} as const

const Purged = {
  type: 'object',
  required: ['purged'],
  properties: {
    purged: {
      type: 'array',
      items: Id,
      description: 'The ids of the tasks and notes that were removed for good',
    },
  },
} as const

export const changeEndpoints = {
  'POST /changes': { body: ChangeBatch, response: ChangeResults },
  'GET /changes': { query: SinceQuery, response: Delta },
  'GET /changes/stream': { response: ChangeEvents, mediaType: 'text/event-stream' as const },
  'POST /changes/:seq/undo': { params: UndoParams, query: UndoQuery, response: ChangeResults },
  'POST /items/purge': { body: Purge, response: Purged },
  'GET /items/:id/history': { params: ById, query: HistoryQuery, response: History },
}
