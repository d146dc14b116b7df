import type { XStatic } from 'typebox/schema'
import { type FieldCode, fieldCodes } from './field-codes.ts'
import { type ProblemCode, problemCodes } from './problem-codes.ts'
import { Task } from './tasks.ts'

const Params = {
  type: 'object',
  additionalProperties: true,
  description: 'The values in the message, by name; absent without any',
} as const

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
      enum: Object.keys(fieldCodes) as [FieldCode],
      description: 'The rule that the value breaks, such as `too-long`; stable, unlike messages',
    },
    params: Params,
    message: { type: 'string', description: 'A description of valid values' },
  },
} as const
export type FieldError = XStatic<typeof FieldError>

/** The body of every error response: RFC 9457, `application/problem+json`. */
export const Problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: {
      enum: Object.keys(problemCodes) as [ProblemCode],
      description: 'What went wrong, such as `no-such-task`; stable, unlike `detail`',
    },
    params: Params,
    detail: { type: 'string' },
    errors: { type: 'array', items: FieldError },
    current: {
      ...Task,
      description:
        'Only with `changed-elsewhere`: the edit was not saved, and this is the task as it is now. Compare, then send the edit with its version',
    },
    requestId: { type: 'string', description: 'Only with 500: the id to search for in the log' },
  },
} as const
export type Problem = XStatic<typeof Problem>
