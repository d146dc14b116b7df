import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { fieldError, HttpError, problemOf } from '../errors.ts'
import { failureLog } from './failure-log.ts'
import { invalidRequest } from './validation.ts'

export function problemHandler(app: FastifyInstance, database: Database) {
  const logFailure = failureLog()
  return (thrown: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) => {
    const error = thrown instanceof HttpError ? thrown : (fromFastify(thrown) ?? database.explain(thrown))
    // The static file plugin responds with 403 to paths such as /../; for a client these do not exist.
    if ('statusCode' in thrown && thrown.statusCode === 403) return reply.callNotFound()
    const about = { req: request, user: request.session?.userId }
    if (error) {
      const { status } = error
      // Rejected calls are normal operation; failures of the database are not.
      if (status < 500) request.log.info({ ...about, status }, 'refused')
      else if (error === thrown) logFailure(app.log, 'info', { ...about, status }, thrown, 'refused')
      else logFailure(app.log, 'warn', { ...about, status }, thrown, 'the database failed')
      return sendProblem(reply, error)
    }
    request.log.error({ ...about, err: thrown }, 'unexpected error')
    reply.code(500).type('application/problem+json')
    return reply.send({ ...problemOf(new HttpError('unexpected')), requestId: request.id })
  }
}

export function sendProblem(reply: FastifyReply, error: HttpError) {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type('application/problem+json')
    .send(problemOf(error))
}

function fromFastify(error: FastifyError): HttpError | undefined {
  if (error.validation) return invalidRequest(error.validation as Parameters<typeof invalidRequest>[0])
  const status = error.statusCode ?? 500
  if (status < 400 || status > 499) return
  if (!error.code?.startsWith('FST_ERR_CTP')) return new HttpError('invalid-request', {}, { status })
  const [code, message] = bodyErrors[error.code] ?? ['invalid-fields', 'cannot be read']
  const errors = [fieldError('request body', 'unreadable', message)]
  return new HttpError(code, {}, { detail: `The request body ${message}`, errors })
}

const bodyErrors: Record<string, ['not-json' | 'body-too-large' | 'invalid-fields', string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['not-json', 'must be JSON, sent with Content-Type: application/json'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid-fields', 'must be valid JSON'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body-too-large', 'is larger than this call accepts'],
}
