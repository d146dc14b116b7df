import { type Static, Type } from 'typebox'

/** Why one field of a request was refused. */
export const FieldError = Type.Object({
  field: Type.String({
    description: 'The field as the request names it, or "request body" for the whole of it',
  }),
  message: Type.String({ description: 'What would be right' }),
})
export type FieldError = Static<typeof FieldError>

/** Every error answer: RFC 9457, `application/problem+json`. */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(FieldError)),
  requestId: Type.Optional(Type.String({ description: 'Only with 500: what to look for in the log' })),
})
export type Problem = Static<typeof Problem>
