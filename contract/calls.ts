import type { FieldCode } from './field-codes.ts'
import type { ProblemCode } from './problem-codes.ts'

/**
 * What a call does for its caller: `none` needs no token, `add` adds and shows nothing, `account` changes how the account is used or
 * ends it.
 */
export type Access = 'none' | 'read' | 'add' | 'write' | 'account'

type Part = 'params' | 'query' | 'headers' | 'body'

type Declared = { [P in Part]?: object } & {
  access: Access
  /** The status without a valid token, if it is not 401. */
  unauthorized?: 403
  response: object
  /** Whether a body may have fields that the contract does not name. Otherwise only a page may send them, which can be of another build. */
  ignoresUnknown?: true
  mediaType?: 'text/event-stream' | 'application/zip'
  /** The codes of its errors, and of those of its fields, besides the codes that its access, parts and schemas imply. */
  problems?: ProblemCode[]
  fieldCodes?: FieldCode[]
}

/** The calls of one file of the contract, by `METHOD /path`. */
export type Calls = { [endpoint: string]: Declared }
