import type { XStatic } from 'typebox/schema'

/** Why one field of a request was refused. */
export const FieldError = {
  type: 'object',
  required: ['field', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'The field as the request names it, or "request body" for the whole of it',
    },
    message: { type: 'string', description: 'What would be right' },
  },
} as const
export type FieldError = XStatic<typeof FieldError>

/** Every error answer: RFC 9457, `application/problem+json`. */
export const Problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: { type: 'array', items: FieldError },
    requestId: { type: 'string', description: 'Only with 500: what to look for in the log' },
  },
} as const
export type Problem = XStatic<typeof Problem>
