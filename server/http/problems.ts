import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { HttpError, problem } from '../errors.ts'
import { failureLog } from './failure-log.ts'
import { invalidRequest } from './validation.ts'

/** Returns the error handler, which turns every error into a problem document (RFC 9457). */
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
    return reply.send({
      ...problem(500, 'An unexpected error occurred on the server. The request itself may be valid.'),
      requestId: request.id,
    })
  }
}

export function sendProblem(reply: FastifyReply, { status, message, errors, headers, current }: HttpError) {
  reply.code(status).headers(headers).type('application/problem+json')
  return reply.send({ ...problem(status, message, errors), ...(current && { current }) })
}

/** Converts Fastify's own errors. */
function fromFastify(error: FastifyError): HttpError | undefined {
  if (error.validation) return invalidRequest(error.validation as Parameters<typeof invalidRequest>[0])
  const status = error.statusCode ?? 500
  if (status < 400 || status > 499) return
  if (!error.code?.startsWith('FST_ERR_CTP')) return new HttpError(status, 'The request is not valid.')
  const message = bodyErrors[error.code] ?? 'cannot be read'
  return new HttpError(status, `The request body ${message}`, {
    errors: [{ field: 'request body', code: 'unreadable', message }],
  })
}

const bodyErrors: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'must be JSON, sent with Content-Type: application/json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'must be valid JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'is larger than this call accepts',
}
