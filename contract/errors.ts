import type { XStatic } from 'typebox/schema'
import { Task } from './tasks.ts'

/** The reason why one field of a request was rejected. */
export const FieldError = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'The name of the field in the request, or "request body" for the whole body',
    },
    code: {
      type: 'string',
      description: 'The rule that the value breaks, such as `too-long`; stable, unlike messages',
    },
    message: { type: 'string', description: 'A description of valid values' },
  },
} as const
export type FieldError = XStatic<typeof FieldError>

/** The body of every error response: RFC 9457, `application/problem+json`. */
export const Problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: { type: 'array', items: FieldError },
    current: {
      ...Task,
      description:
        'Only with 409 to an edit, which was not saved: the task as it is now. Compare, then send the edit with its version',
    },
    requestId: { type: 'string', description: 'Only with 500: the id to search for in the log' },
  },
} as const
export type Problem = XStatic<typeof Problem>
