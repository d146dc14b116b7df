/** What a call does for its caller: `none` needs no token, `account` changes how the account is used or ends it. */
export type Access = 'none' | 'read' | 'write' | 'account'

/** The errors of a call besides those of every call: descriptions by status, and the codes of a 400. */
export type Problems = { 400?: readonly string[]; [status: number]: string | readonly string[] }

type Part = 'params' | 'query' | 'headers' | 'body'

type Declared = { [P in Part]?: object } & {
  access: Access
  /** The status without a valid token, if it is not 401. */
  unauthorized?: 403
  response: object
  mediaType?: 'text/event-stream'
  problems?: Problems
}

/** The calls of one file of the contract, by `METHOD /path`. */
export type Calls = { [endpoint: string]: Declared }
