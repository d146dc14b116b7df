import type { FieldCode } from './field-codes.ts'
import { Id, objectOf } from './fields.ts'
import { pageSize } from './limits.ts'
import type { ProblemCode } from './problem-codes.ts'

/**
 * What a call does for its caller: `none` needs no token, `add` adds and shows nothing, `account` changes how the account is used or
 * ends it.
 */
export type Access = 'none' | 'read' | 'add' | 'write' | 'account'

type Part = 'params' | 'query' | 'headers' | 'body'

type Declared = { [P in Part]?: object } & {
  access: Access
  unauthorized?: 403
  response: object
  /**
   * Whether every client may send fields that the contract does not name. Otherwise only a page may, which can be of
   * another build.
   */
  ignoresUnknown?: true
  mediaType?: 'text/event-stream' | 'application/zip'
  /** The codes of its errors, and of those of its fields, besides the codes that its access, parts and schemas imply. */
  problems?: ProblemCode[]
  fieldCodes?: FieldCode[]
}

/** By `METHOD /path`. */
export type Calls = { [endpoint: string]: Declared }

export const ById = objectOf({ id: Id })
export const Done = { type: 'object', properties: {} } as const

export const PageQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.default },
    cursor: { type: 'string', maxLength: 512, description: 'A `nextCursor` that this list returned' },
  },
} as const

export const nextCursor = {
  type: 'string',
  description: 'Send it as ?cursor= to get the next page; absent on the last page',
} as const

/** The caller's time zone, which decides the current day. Default: the server's time zone. */
export const ZoneHeader = {
  type: 'object',
  properties: { 'time-zone': { type: 'string', format: 'time-zone', examples: ['Europe/Lisbon'] } },
} as const
