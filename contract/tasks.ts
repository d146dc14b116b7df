import type { XStatic } from 'typebox/schema'
import { ById, type Calls, Done, nextCursor, PageQuery, ZoneHeader } from './calls.ts'
import { Id, itemSchema, objectOf, valuesSchema } from './fields.ts'
import { repeatLimits } from './limits.ts'
import { dependsOnToday, type ListName, lists } from './lists.ts'
import { taskFields } from './task-fields.ts'

export const Task = itemSchema(taskFields)
export type Task = XStatic<typeof Task>

/** The request of adding and editing. Without an optional field, an edit keeps the stored value and a new task gets the default. */
export const TaskValues = {
  ...valuesSchema(taskFields),
  examples: [{ title: 'Water the plants', body: 'The fern first.', dueDate: '2026-11-21', priority: 'high' }],
} as const
export type TaskValues = XStatic<typeof TaskValues>

const TaskPage = objectOf({ lists: { type: 'array', items: Task } }, { nextCursor })

/** The version that the caller has edited. Fields that others have changed since that version are not overwritten. */
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
        'The client’s id of this addition. If it is sent again within 30 days, no other task is added, whatever the body: the response is the task as it is now, perhaps changed, done or deleted since, or a 409 if it was deleted for good. Other values are another addition, with an id of its own. An id of version 7 that no item has had is also the id of the task, so that `POST /changes` can repeat the addition',
    },
  },
} as const

const Stored = objectOf({ task: Task })
const Added = {
  ...Stored,
  description: 'For a token of the scope `add`, which reads nothing, the response is an empty object',
} as const
const Passed = objectOf({
  days: {
    type: 'array',
    items: objectOf({
      day: { type: 'string' },
      skipped: {
        type: 'boolean',
        description:
          'Whether the task was skipped then. Otherwise the day had passed before the task was completed',
      },
    }),
    description: `Newest first, at most ${repeatLimits.passed}`,
  },
})

type ListEndpoint = (typeof lists)[ListName]['endpoint']
type ListCall = {
  access: 'read'
  query: typeof PageQuery
  headers: typeof ZoneHeader
  response: typeof TaskPage
  fieldCodes: ['unknown-cursor']
}

const listCalls = Object.fromEntries(
  Object.values(lists).map((list) => [
    list.endpoint,
    {
      access: 'read',
      query: PageQuery,
      response: TaskPage,
      fieldCodes: ['unknown-cursor'],
      ...(dependsOnToday(list) && { headers: ZoneHeader }),
    },
  ]),
) as Record<ListEndpoint, ListCall>

export const taskEndpoints = {
  ...listCalls,
  'POST /list/addTask': {
    access: 'add',
    headers: RetryHeader,
    ignoresUnknown: true,
    body: TaskValues,
    response: Added,
    problems: ['over-quota', 'too-many-items', 'addition-purged'],
    fieldCodes: ['other-kind', 'never-occurs'],
  },
  'GET /tasks/:id': { access: 'read', params: ById, response: Stored, problems: ['no-such-task'] },
  'GET /tasks/:id/passed': {
    access: 'read',
    params: ById,
    headers: ZoneHeader,
    response: Passed,
    problems: ['no-such-task'],
  },
  'PUT /list/updateTask/:id': {
    access: 'write',
    params: ById,
    headers: VersionHeader,
    ignoresUnknown: true,
    body: TaskValues,
    response: Stored,
    problems: ['no-such-task', 'changed-elsewhere', 'over-quota'],
    fieldCodes: ['never-occurs'],
  },
  'DELETE /list/deleteTask/:id': {
    access: 'write',
    params: ById,
    response: Done,
    problems: ['no-such-task', 'over-quota'],
  },
} satisfies Calls
