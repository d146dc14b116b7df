import fastify, { type FastifyInstance } from 'fastify'
import { apiBase, requestBytes } from '#contract/limits.ts'
import type { Database } from './database/database.ts'
import { openApi } from './open-api.ts'
import { pages } from './pages.ts'
import { problemHandler } from './problems.ts'
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
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  )
}
