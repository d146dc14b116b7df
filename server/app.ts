import fastify, { type FastifyInstance } from 'fastify'
import { apiBase, requestBytes } from '#contract/limits.ts'
import { every } from './background.ts'
import { changeRoutes } from './changes/change-routes.ts'
import { changeStream } from './changes/change-stream.ts'
import type { AppContext } from './context.ts'
import type { Database, Fault } from './database/database.ts'
import { followEarlierServers } from './earlier-servers.ts'
import { HttpError } from './errors.ts'
import { exportRoutes } from './exporting/export-routes.ts'
import { type LoadLimits, limitsOf } from './fairness/load-limits.ts'
import { protectFromLoad } from './fairness/load-protection.ts'
import { inNetworks } from './fairness/network.ts'
import { feedRoutes } from './feed/feed-routes.ts'
import { checkHost, originForm } from './http/allowed-hosts.ts'
import { headersOf, securityHeaders } from './http/headers.ts'
import { healthRoutes } from './http/health.ts'
import { parseJson } from './http/json.ts'
import { logger } from './http/log.ts'
import { openApi } from './http/open-api.ts'
import { problemHandler, sendProblem } from './http/problems.ts'
import { rejectConnectAndExpect, rejectUnreadable } from './http/rejected-by-node.ts'
import { requestIds } from './http/request-id.ts'
import { rejectOtherMethods } from './http/route.ts'
import { pageRoutes } from './http/served-pages.ts'
import { validatorCompiler } from './http/validation.ts'
import { importRoutes } from './importing/import-routes.ts'
import { noteKind } from './notes/note-kind.ts'
import { noteRoutes } from './notes/note-routes.ts'
import { reminderRoutes } from './reminders/reminder-routes.ts'
import { sendReminders } from './reminders/send-reminders.ts'
import { searchRoutes } from './search/search-routes.ts'
import { authenticateCallers } from './sessions/authenticate.ts'
import { startSweeper } from './sweep.ts'
import { taskKind } from './tasks/task-kind.ts'
import { taskRoutes } from './tasks/task-routes.ts'
import { accountRoutes } from './users/account-routes.ts'
import { settingsRoutes } from './users/settings-routes.ts'
import { tokenRoutes } from './users/token-routes.ts'
import { userRoutes } from './users/user-routes.ts'

/** The kinds of items that users have, in the order of deltas. */
export const kinds = [taskKind, noteKind]

/** Builds the complete app, which tests and production share. It does not listen yet. Only tests change limits. */
export async function buildApp(
  context: AppContext,
  limits: Partial<LoadLimits> = {},
): Promise<FastifyInstance> {
  const { config, database } = context
  const app = fastify({
    ...logger(config),
    genReqId: requestIds(config.trustedProxies),
    trustProxy: config.trustedProxies.length > 0 && inNetworks(config.trustedProxies),
    // Of requests without a session, unknown URLs included: see http/route.ts.
    bodyLimit: requestBytes.credentials,
    requestTimeout: 10_000,
    // checkHost rejects requests without a Host header, with a problem document.
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    rewriteUrl: originForm,
    frameworkErrors: (_error, { url, id }, reply) =>
      sendProblem(reply.headers({ ...headersOf(url), 'x-request-id': id }), new HttpError('invalid-url')),
    clientErrorHandler: rejectUnreadable,
    // Requests that were accepted are processed during a stop: see http/stop.ts.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(problemHandler(app, database))
  securityHeaders(app, config)
  rejectConnectAndExpect(app.server)
  checkHost(app, config)
  const allLimits = limitsOf(config, limits)
  const load = protectFromLoad(app, config, allLimits)
  parseJson(app, load.bodies)
  const sweeper = startSweeper(app, context, kinds)
  watchDatabase(app, database)
  followEarlierServers(app, database)
  sendReminders(app, context)
  // Modules for backups, metrics and the limit of calls are loaded only if they are configured.
  const backups =
    config.backup &&
    (await import('./backups/backup-schedule.ts')).scheduleBackups(
      app,
      config.databaseUrl,
      config.backup,
      database.fault,
    )

  if (config.metricsPort !== undefined) {
    const { serveMetrics } = await import('./http/metrics.ts')
    const lastBackup = backups && (() => backups.lastVerified()?.at.epochMilliseconds)
    serveMetrics(app, config.metricsPort, config, database, lastBackup)
  }

  healthRoutes(app, database, load.requests, () =>
    backups ? { lastVerifiedBackup: backups.lastVerified()?.at ?? null } : {},
  )
  authenticateCallers(app, context)
  const limitRate = async (scope: FastifyInstance) =>
    config.apiRate && (await import('./fairness/rate-limit.ts')).limitRate(scope, config.apiRate)
  await app.register(
    async (api) => {
      await openApi(api)
      await limitRate(api)
      changeStream(api, context)
      userRoutes(api, context, sweeper.deleteClosedAccounts)
      accountRoutes(api, context)
      tokenRoutes(api, context)
      settingsRoutes(api, context)
      taskRoutes(api, context, kinds)
      noteRoutes(api, context)
      changeRoutes(api, context, kinds)
      searchRoutes(api, context)
      exportRoutes(api, context, allLimits)
      importRoutes(api, context)
      reminderRoutes(api, context)
      rejectOtherMethods(api)
    },
    { prefix: apiBase },
  )
  await app.register(async (feed) => {
    await limitRate(feed)
    feedRoutes(feed, context)
  })
  await pageRoutes(app, config)
  return app
}

/** Looks for faults of the database while the server listens, and logs the start and the end of a fault. */
function watchDatabase(app: FastifyInstance, database: Database) {
  let current: Fault | undefined
  every(app, 'the search for faults of the database', async () => {
    const fault = database.fault()
    if (fault && fault.report !== current?.report) app.log.error(`database: ${fault.report}`)
    if (!fault && current) app.log.warn('database: the fault is resolved; changes are stored again')
    current = fault
  })
  every(app, 'the inspection of the database', async (stop) => {
    if (!database.fault()) await database.inspect(stop)
  })
}
