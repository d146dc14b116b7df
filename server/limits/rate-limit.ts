import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Rate } from '../environment.ts'
import { HttpError } from '../errors.ts'
import { networkOf } from '../http/network.ts'

/**
 * Implements API_RATE_LIMIT, which limits the calls of one user, or of one network without a valid token, to this
 * process. The tokens of the user for other programs have half of them together, so that programs do not take all. Their further calls do
 * not count for the user. Applies to routes that are registered later.
 */
export async function limitRate(api: FastifyInstance, { max, seconds }: Rate) {
  await api.register(fastifyRateLimit, {
    global: false,
    max,
    timeWindow: seconds * 1000,
    keyGenerator: ({ session, ip }) => session?.userId ?? networkOf(ip),
  })
  const count = api.createRateLimit()
  const countOfTokens = api.createRateLimit({
    max: Math.ceil(max / 2),
    keyGenerator: ({ session }) => `tokens of ${session?.userId}`,
  })

  // The plugin's hook runs after the hooks of the route, so it would not count calls with an invalid token.
  api.addHook('onRoute', (route) => {
    const checks = [route.onRequest ?? []].flat() as onRequestAsyncHookHandler[]
    route.onRequest = async function (request, reply) {
      let rejection: unknown
      try {
        for (const check of checks) await check.call(this, request, reply)
      } catch (error) {
        rejection = error
      }
      const isProgram = request.session !== undefined && request.session.scope !== 'session'
      for (const counted of [...(isProgram ? [countOfTokens] : []), count]) {
        const limit = await counted(request)
        if (!limit.isAllowed && limit.isExceeded)
          throw new HttpError('too-many-attempts', { seconds: limit.ttlInSeconds })
      }
      if (rejection) throw rejection
    }
  })
}
