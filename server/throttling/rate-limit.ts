import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Rate } from '../environment.ts'
import { tooManyRequests } from '../errors.ts'
import { networkOf } from '../http/network.ts'

/**
 * Bounds the calls of one user, or of one network without a sign-in, to this process: API_RATE_LIMIT. Applies to the
 * routes that are registered after it.
 */
export async function limitRate(api: FastifyInstance, { max, seconds }: Rate) {
  await api.register(fastifyRateLimit, {
    global: false,
    max,
    timeWindow: seconds * 1000,
    keyGenerator: ({ session, ip }) => session?.userId ?? networkOf(ip),
  })
  const count = api.createRateLimit()

  // The plugin's own hook runs after a route's hooks, and so never for a call that these refuse for its token.
  api.addHook('onRoute', (route) => {
    const checks = [route.onRequest ?? []].flat() as onRequestAsyncHookHandler[]
    route.onRequest = async function (request, reply) {
      const refusal = await firstError(checks.map((check) => () => check.call(this, request, reply)))
      const limit = await count(request)
      if (!limit.isAllowed && limit.isExceeded) throw tooManyRequests(limit.ttlInSeconds)
      if (refusal) throw refusal
    }
  })
}

/** Runs these one after the other until one fails. */
async function firstError(checks: (() => Promise<unknown>)[]): Promise<unknown> {
  try {
    for (const check of checks) await check()
  } catch (error) {
    return error
  }
}
