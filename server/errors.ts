import type { FieldError, Problem } from '#contract/errors.ts'
import type { Task } from '#contract/tasks.ts'

// `import 'node:http'` would also load Node's fetch and WebSocket, which the server does not use: 5 MB.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** An error response. Any code may throw one; the error handler in problems.ts sends it. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>
  /** With a conflict: the current item. */
  readonly current: Task | undefined

  constructor(
    status: number,
    detail: string,
    more: { errors?: FieldError[]; headers?: Record<string, string>; current?: Task } = {},
  ) {
    super(detail)
    this.status = status
    this.errors = more.errors
    this.headers = more.headers ?? {}
    this.current = more.current
  }
}

/** `code`: stable, kebab-case, for programs; the message is for people. */
export const badRequest = (field: string, code: string, message: string) =>
  new HttpError(400, `${field} ${message}`, { errors: [{ field, code, message }] })

export const badUrl = () =>
  new HttpError(
    400,
    'The URL of this request is invalid: it is too long, or its percent-encoding is malformed.',
  )

export const unauthorized = (detail: string) =>
  new HttpError(401, detail, { headers: { 'www-authenticate': 'Bearer' } })

export const accountGone = () => unauthorized('This account no longer exists.')

export const forbidden = (detail: string) => new HttpError(403, detail)

export const notFound = (detail: string) => new HttpError(404, detail)

export const methodNotAllowed = (method: string, allowed: string) =>
  new HttpError(405, `This path does not accept ${method}, but ${allowed}.`, { headers: { allow: allowed } })

export const misdirected = (host: string) =>
  new HttpError(
    421,
    `This server does not accept requests ${host ? `for the host ${host}` : 'without a host'}.`,
  )

export const conflict = (detail: string, errors?: FieldError[]) =>
  new HttpError(409, detail, errors ? { errors } : {})

export const changedElsewhere = (current: Task) =>
  new HttpError(409, 'This task was changed elsewhere.', { current })

/** `seconds` is sent as Retry-After. */
export const tooManyRequests = (seconds: number) =>
  new HttpError(429, `Too many attempts. Wait ${formatDuration(seconds)} before the next one.`, {
    headers: { 'retry-after': String(seconds) },
  })

/** `seconds` is sent as Retry-After. */
export const unavailable = (detail: string, seconds = 1) =>
  new HttpError(503, detail, { headers: { 'retry-after': String(seconds) } })

export const storageFull = () =>
  new HttpError(507, 'The server has no storage space left. Nothing was changed.')

/** Builds an RFC 9457 problem document. */
export const problem = (status: number, detail: string, errors?: FieldError[]): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  ...(errors ? { errors } : {}),
})

const formatDuration = (seconds: number) =>
  seconds < 90 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`
