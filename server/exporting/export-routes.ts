import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { HttpError, unavailable } from '../errors.ts'
import { FairShare } from '../fairness/fair-share.ts'
import type { LoadLimits } from '../fairness/load-limits.ts'
import { networkOf } from '../fairness/network.ts'
import { failureLog } from '../http/failure-log.ts'
import { route } from '../http/route.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { endCredential } from '../sessions/session-queries.ts'
import { type SessionKey, sessionKeyOf } from '../sessions/token.ts'
import { findExport, reportExport, startExport, useAddress } from './export-addresses.ts'
import { writeExport } from './write-export.ts'

/** How often a running export reports how much was sent, and learns that it was ended, in milliseconds. */
const reportEvery = 1000

type Limits = Pick<LoadLimits, 'exports' | 'longestExport'>

export function exportRoutes(app: FastifyInstance, { config, database }: AppContext, limits: Limits) {
  const moment = () => ({ life: sessionLife(config), now: Date.now() })
  const share = new FairShare(limits.exports)
  const running = new Map<string, { key: SessionKey; stop: AbortController; ended: Promise<void> }>()
  const logFailure = failureLog()
  let isStopping = false

  app.addHook('preClose', async () => {
    isStopping = true
    for (const { stop } of running.values()) stop.abort()
    await Promise.all([...running.values()].map(({ ended }) => ended))
  })

  route(app, 'POST /export', async ({ session }) => ({
    export: await database.write((db) => startExport(db, session, moment()), session.userId),
  }))

  route(app, 'GET /export/:id', async ({ session, params }) => {
    const { percent } = await findExport(database.read, session.userId, params.id, Date.now())
    return { export: { percent } }
  })

  route(app, 'DELETE /export/:id', async ({ session: { userId }, params }) => {
    const { key } = await findExport(database.read, userId, params.id, Date.now())
    await database.write((db) => endCredential(db, key), userId)
    const here = running.get(userId)
    // Another server notices it at its next report.
    if (here?.key.tokenHash === key.tokenHash) here.stop.abort()
    return {}
  })

  route(app, 'GET /export', async (request, reply) => {
    const key = sessionKeyOf(request.query.key)
    if (!key) throw new HttpError('export-address-over')
    const network = networkOf(request.ip)
    if (isStopping) throw unavailable('stream-stopping')
    if (!share.allows(network)) throw unavailable('too-many-exports', 60)
    // Held before the address is used, so that it can be used again after a 503.
    share.take(network, 1)
    try {
      await start(request, reply, key, () => share.release(network, 1))
    } catch (error) {
      share.release(network, 1)
      throw error
    }
    return reply
  })

  async function start(request: FastifyRequest, reply: FastifyReply, key: SessionKey, release: () => void) {
    const { userId } = key
    if (!(await database.write((db) => useAddress(db, key, moment()), userId)))
      throw new HttpError('export-address-over')
    if (reply.raw.closed) throw unavailable('client-gone')
    // Its row is gone, which it would notice at its next report.
    running.get(userId)?.stop.abort()
    const stop = new AbortController()
    const ended = send(request, reply, key, stop).finally(() => {
      release()
      if (running.get(userId)?.stop === stop) running.delete(userId)
    })
    running.set(userId, { key, stop, ended })
  }

  /** Sends the file. Never rejects. */
  async function send(request: FastifyRequest, reply: FastifyReply, key: SessionKey, stop: AbortController) {
    const { raw: response } = reply
    const report = (percent: number) =>
      database.write((db) => reportExport(db, key, percent, moment()), key.userId)
    reply.hijack()
    response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="daymark-${new Date().toISOString().slice(0, 10)}.zip"`,
      // nginx would store the file on its disk.
      'x-accel-buffering': 'no',
    })
    let percent = 0
    const reports = (async () => {
      while (!stop.signal.aborted) {
        await delay(reportEvery, undefined, { signal: stop.signal, ref: false })
        // A report that fails stops no export.
        if (!(await report(percent).catch(() => true))) stop.abort()
      }
    })().catch(() => {})
    const longest = AbortSignal.timeout(limits.longestExport)
    try {
      await writeExport(database, key.userId, response, {
        signal: AbortSignal.any([stop.signal, longest]),
        onProgress: (now) => {
          percent = now
        },
      })
      percent = 100
    } catch (error) {
      // Not if its client has left, or it was ended.
      if (!response.closed && !stop.signal.aborted)
        logFailure(
          app.log,
          'warn',
          { req: request },
          error as Error,
          'an export ended before it was complete',
        )
    }
    response.destroy()
    stop.abort()
    await reports
    const last = percent === 100 ? report(100) : database.write((db) => endCredential(db, key), key.userId)
    await last.catch((error) =>
      logFailure(app.log, 'warn', { req: request }, error, 'the end of an export was not noted'),
    )
  }
}
