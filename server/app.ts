import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { apiBase, requestBytes } from '#contract/limits.ts'
import { watchDatabase } from './database-watch.ts'
import { badAddress } from './errors.ts'
import { headersFor, securityHeaders } from './headers.ts'
import { healthRoutes } from './health.ts'
import { checkHost, originForm } from './http/allowed-hosts.ts'
import { loadLimits } from './http/load-limits.ts'
import { protectFromLoad } from './http/load-protection.ts'
import { refuseConnectAndExpect, refuseUnreadable } from './http/refused-by-node.ts'
import { parseJson } from './json.ts'
import { logger } from './log.ts'
import { openApi } from './open-api.ts'
import { pages } from './pages.ts'
import type { Parts } from './parts.ts'
import { problemHandler, sendProblem } from './problems.ts'
import { startSweeper } from './sweep.ts'
import { taskRoutes } from './tasks/task-routes.ts'
import { limitRate } from './throttling/rate-limit.ts'
import { userRoutes } from './users/user-routes.ts'
import { validatorCompiler } from './validation.ts'

/** The whole server short of listening: tests and production run the same one. */
export async function buildApp(parts: Parts, limits = loadLimits): Promise<FastifyInstance> {
  const { config, database } = parts
  const app = fastify({
    ...logger(config),
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    bodyLimit: requestBytes.default,
    requestTimeout: 10_000,
    // A request without a Host header is refused by checkHost, in the form of every other refusal.
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    rewriteUrl: originForm,
    frameworkErrors: (_error, { url }, reply) =>
      sendProblem(reply.headers(headersFor(config)(url)), badAddress()),
    clientErrorHandler: refuseUnreadable(config),
    // While stopping, what was accepted is still answered: see stop.ts.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(problemHandler(database))
  securityHeaders(app, config)
  refuseConnectAndExpect(app.server, config)
  checkHost(app, config)
  const load = protectFromLoad(app, config.trustedProxies, limits)
  parseJson(app, load.bodies)
  const sweeper = startSweeper(app, parts)
  watchDatabase(app, database)
  // Only who wants metrics or backups pays for loading what makes them.
  if (config.metricsPort !== undefined)
    (await import('./metrics.ts')).serveMetrics(app, config.metricsPort, parts)
  const backups =
    config.backup &&
    (await import('./backups/backup-schedule.ts')).scheduleBackups(
      app,
      config.databaseUrl,
      config.backup,
      database.fault,
    )

  healthRoutes(app, parts, load.requests, backups)
  await app.register(
    async (api) => {
      await openApi(api)
      if (config.apiRate) await limitRate(api, config.apiRate)
      userRoutes(api, parts, sweeper)
      taskRoutes(api, parts)
    },
    { prefix: apiBase },
  )
  await pages(app)
  return app
}
