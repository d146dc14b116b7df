import type { FieldCode, FieldParams } from '#contract/field-codes.ts'
import type { FieldError, Problem } from '#contract/problem.ts'
import { type ParamsOf, type ProblemCode, problemCodes, type RetryCode } from '#contract/problem-codes.ts'
import type { Task } from '#contract/tasks.ts'

// `import 'node:http'` would also load Node's fetch and WebSocket, which the server does not use: 5 MB.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

type More = {
  /** Instead of the status and the message of the code. */
  status?: number
  detail?: string
  errors?: FieldError[]
  headers?: Record<string, string>
  /** With `changed-elsewhere`: the task as it is now. */
  current?: Task
}

type PlainCode = { [Code in ProblemCode]: object extends ParamsOf<Code> ? Code : never }[ProblemCode]

/** An error response. Any code may throw it, and the error handler in problems.ts sends it. */
export class HttpError<Code extends ProblemCode = ProblemCode> extends Error {
  readonly code: Code
  readonly params: object
  readonly status: number
  readonly headers: Record<string, string>
  readonly errors: FieldError[] | undefined
  readonly current: Task | undefined

  constructor(
    code: Code,
    ...[params = {}, more = {}]: Code extends PlainCode
      ? [params?: object, more?: More]
      : [params: ParamsOf<Code>, more?: More]
  ) {
    const { message, status } = problemCodes[code]
    super(more.detail ?? message(params as never))
    this.code = code
    this.params = params
    this.status = more.status ?? status
    this.headers = { ...headersFor(this), ...more.headers }
    this.errors = more.errors
    this.current = more.current
  }
}

/** `seconds` is also sent as Retry-After. */
const headersFor = ({ status, params }: Pick<HttpError, 'status' | 'params'>): Record<string, string> => ({
  ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  ...('seconds' in params && { 'retry-after': String(params.seconds) }),
})

/** The error of a field whose value breaks a rule. The message follows the field's name. */
export const badRequest = <Code extends FieldCode>(
  field: string,
  code: Code,
  message: string,
  params: FieldParams<Code> = {},
) =>
  new HttpError(
    'invalid-fields',
    {},
    { detail: `${field} ${message}`, errors: [fieldError(field, code, message, params)] },
  )

export const fieldError = <Code extends FieldCode>(
  field: string,
  code: Code,
  message: string,
  params: FieldParams<Code> = {},
): FieldError => ({ field, code, ...withParams(params), message })

export const unavailable = (code: RetryCode, seconds = 1) => new HttpError(code, { seconds })

export const problemOf = ({ status, code, params, message, errors, current }: HttpError): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  code,
  ...withParams(params),
  detail: message,
  ...(errors && { errors }),
  ...(current && { current }),
})

const withParams = (params: object) => (Object.keys(params).length > 0 ? { params: { ...params } } : {})
