import { isUtf8 } from 'node:buffer'
import fastify, { errorCodes, type FastifyInstance } from 'fastify'
import { apiBase, requestBytes } from '#contract/limits.ts'
import type { Database } from './database/database.ts'
import { badAddress } from './errors.ts'
import { openApi } from './open-api.ts'
import { pages } from './pages.ts'
import { problemHandler, sendProblem } from './problems.ts'
import { taskRoutes } from './tasks/task-routes.ts'
import { userRoutes } from './users/user-routes.ts'
import { validatorCompiler } from './validation.ts'

export type Parts = { database: Database; log?: boolean }

/** The whole server short of listening: tests and production run the same one. */
export async function buildApp({ database, log = false }: Parts): Promise<FastifyInstance> {
  const app = fastify({
    logger: log,
    bodyLimit: requestBytes.default,
    requestTimeout: 10_000,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000 },
    frameworkErrors: (_error, _request, reply) => sendProblem(reply, badAddress()),
  })
  app.setValidatorCompiler(validatorCompiler)
  parseJson(app)
  app.setErrorHandler(problemHandler(database))

  await app.register(
    async (api) => {
      await openApi(api)
      userRoutes(api, { database })
      taskRoutes(api, { database })
    },
    { prefix: apiBase },
  )
  await pages(app)
  return app
}

/** No body is no body, also where a client announces JSON and sends none, as many do with DELETE. */
function parseJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Decoding would put U+FFFD where the bytes are no text, and store what nobody wrote.
    if (!isUtf8(body)) return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
    return parse(request, body.toString(), done)
  })
}
