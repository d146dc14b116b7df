import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { isReachable } from '../database/is-reachable.ts'
import { writeBatches } from '../database/write-queue.ts'
import { ConfigError } from '../environment.ts'
import { apiHeaders } from './headers.ts'
import { rejectConnectAndExpect, rejectUnreadable } from './rejected-by-node.ts'

/**
 * Serves Prometheus metrics on METRICS_PORT, a separate port that can be closed to the public. Without that variable
 * nothing is measured. Requests are labelled with the route's pattern, not with the path, which a client controls.
 */
export function serveMetrics(app: FastifyInstance, port: number, config: Config, database: Database) {
  const registry = new Registry()
  const registers = [registry]
  // Includes event loop lag and process memory.
  collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'daymark_request_seconds',
    help: 'Time from a request to its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    // A stream lasts as long as its client stays.
    if (request.routeOptions.config.isStream && reply.statusCode === 200) return done()
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    }
    requests.observe(labels, reply.elapsedTime / 1000)
    done()
  })

  const batches = new Histogram({
    name: 'daymark_write_batch_size',
    help: 'Number of writes committed in one transaction',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const onBatch = (message: unknown) => batches.observe((message as { size: number }).size)
  writeBatches.subscribe(onBatch)

  new Gauge({
    name: 'daymark_database_up',
    help: 'Whether the database is reachable (1) or not (0)',
    registers,
    async collect() {
      this.set((await isReachable(database)) ? 1 : 0)
    },
  })

  new Gauge({
    name: 'daymark_open_streams',
    help: 'Number of open event streams',
    registers,
    collect() {
      this.set(app.load.streams.count)
    },
  })

  const server = createServer({ requireHostHeader: false }, async (_request, response) => {
    response.setHeaders(new Map(Object.entries(apiHeaders(config))))
    response.setHeader('content-type', registry.contentType)
    response.end(await registry.metrics())
  })
  server.on('clientError', rejectUnreadable(config))
  rejectConnectAndExpect(server, config)
  app.addHook('onReady', async () => {
    server.listen(port, config.host)
    await once(server, 'listening').catch(({ code }) => {
      throw new ConfigError(`METRICS_PORT ${port} cannot be used (${code}); choose another one`)
    })
  })
  app.addHook('onClose', () => {
    writeBatches.unsubscribe(onBatch)
    server.close()
  })
}
