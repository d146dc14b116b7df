import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { ConfigError } from '../environment.ts'
import { apiHeaders } from './headers.ts'
import { type LastBackup, measure } from './measurements.ts'
import { rejectConnectAndExpect, rejectUnreadable } from './rejected-by-node.ts'

/** Serves Prometheus metrics on METRICS_PORT, a port that can be closed to the public. Without it nothing is measured. */
export function serveMetrics(
  app: FastifyInstance,
  port: number,
  config: Config,
  database: Database,
  lastBackup: LastBackup,
) {
  const registry = measure(app, config, database, lastBackup)
  const server = createServer({ requireHostHeader: false }, async (_request, response) => {
    response.setHeaders(new Map(Object.entries(apiHeaders)))
    response.setHeader('content-type', registry.contentType)
    response.end(await registry.metrics())
  })
  server.on('clientError', rejectUnreadable)
  rejectConnectAndExpect(server)
  app.addHook('onReady', async () => {
    server.listen(port, config.host)
    await once(server, 'listening').catch(({ code }) => {
      throw new ConfigError(`METRICS_PORT ${port} cannot be used (${code}); choose another one`)
    })
  })
  app.addHook('onClose', () => {
    server.close()
  })
}
