import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { apiBase, requestBytes } from '#contract/limits.ts'
import { changeRoutes } from './changes/change-routes.ts'
import { changeStream } from './changes/change-stream.ts'
import type { AppContext } from './context.ts'
import { watchDatabase } from './database-watch.ts'
import { badUrl } from './errors.ts'
import { checkHost, originForm } from './http/allowed-hosts.ts'
import { headersFor, securityHeaders } from './http/headers.ts'
import { healthRoutes } from './http/health.ts'
import { parseJson } from './http/json.ts'
import { loadLimits } from './http/load-limits.ts'
import { protectFromLoad } from './http/load-protection.ts'
import { logger } from './http/log.ts'
import { openApi } from './http/open-api.ts'
import { pageRoutes } from './http/pages.ts'
import { problemHandler, sendProblem } from './http/problems.ts'
import { rejectConnectAndExpect, rejectUnreadable } from './http/rejected-by-node.ts'
import { sendPerTurn } from './http/send-per-turn.ts'
import { validatorCompiler } from './http/validation.ts'
import { noteRoutes } from './notes/note-routes.ts'
import { searchRoutes } from './search/search-routes.ts'
import { startSweeper } from './sweep.ts'
import { taskRoutes } from './tasks/task-routes.ts'
import { settingsRoutes } from './users/settings-routes.ts'
import { userRoutes } from './users/user-routes.ts'

/** Builds the complete app, which tests and production share. It does not listen yet. */
export async function buildApp(context: AppContext, limits = loadLimits): Promise<FastifyInstance> {
  const { config, database } = context
  const app = fastify({
    ...logger(config),
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    bodyLimit: requestBytes.default,
    requestTimeout: 10_000,
    // checkHost rejects requests without a Host header, with a problem document.
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    rewriteUrl: originForm,
    frameworkErrors: (_error, { url }, reply) =>
      sendProblem(reply.headers(headersFor(config)(url)), badUrl()),
    clientErrorHandler: rejectUnreadable(config),
    // Requests that were accepted are processed during a stop: see http/stop.ts.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(problemHandler(database))
  securityHeaders(app, config)
  rejectConnectAndExpect(app.server, config)
  sendPerTurn(app)
  checkHost(app, config)
  const load = protectFromLoad(app, config.trustedProxies, limits)
  parseJson(app, load.bodies)
  const sweeper = startSweeper(app, context)
  watchDatabase(app, database)
  // Modules for metrics, backups and the limit of calls are loaded only if they are configured.
  if (config.metricsPort !== undefined)
    (await import('./http/metrics.ts')).serveMetrics(app, config.metricsPort, config, database)
  const backups =
    config.backup &&
    (await import('./backups/backup-schedule.ts')).scheduleBackups(
      app,
      config.databaseUrl,
      config.backup,
      database.fault,
    )

  healthRoutes(app, database, load.requests, () =>
    backups ? { lastVerifiedBackup: backups.lastVerified()?.at ?? null } : {},
  )
  await app.register(
    async (api) => {
      await openApi(api)
      if (config.apiRate) await (await import('./throttling/rate-limit.ts')).limitRate(api, config.apiRate)
      changeStream(api, context)
      userRoutes(api, context, sweeper.deleteClosedAccounts)
      settingsRoutes(api, context)
      taskRoutes(api, context)
      noteRoutes(api, context)
      changeRoutes(api, context)
      searchRoutes(api, context)
    },
    { prefix: apiBase },
  )
  await pageRoutes(app)
  return app
}
