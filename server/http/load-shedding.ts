import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { FairShare } from './fair-share.ts'
import type { LoadLimits } from './load-limits.ts'
import { networkOf } from './network.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however much else there is to do. */
    neverShed?: boolean
  }
  interface FastifyRequest {
    /** How many slots the request holds or held; 0 before it has wholly arrived. */
    slots: number
  }
}

export type LoadShedding = ReturnType<typeof shedLoad>

/** Refuses early what cannot be answered soon, so that those who are served are served as fast as ever. */
export function shedLoad(app: FastifyInstance, limits: LoadLimits) {
  const slots = new FairShare(limits.slots)
  let unansweredSince: number | undefined
  app.decorateRequest('slots', 0)

  const refusal = (request: FastifyRequest, amount: number) =>
    slots.isScarce(amount) &&
    !request.routeOptions.config.neverShed &&
    !slots.allows(networkOf(request.ip), amount)
      ? unavailable('The server has more to do than it can. Try again in a moment.', 2)
      : undefined

  // At the door, before so much as a token is looked up.
  app.addHook('onRequest', (request, _reply, done) => done(refusal(request, 1)))

  // A request takes its slots once it is all there: one whose body comes slowly keeps nobody else out.
  app.addHook('preValidation', (request, { raw: response }, done) => {
    // The client left while its token was looked up: nothing would tell of it a second time.
    if (response.closed) return
    if (request.routeOptions.config.neverShed) return done()
    const amount = 1 + Math.floor(request.bodyBytes / limits.bytesPerSlot)
    const refused = refusal(request, amount)
    if (refused) return done(refused)
    const network = networkOf(request.ip)
    slots.take(network, amount)
    request.slots = amount
    unansweredSince ??= performance.now()
    // Fastify's onResponse is not told of clients that went away before their answer.
    response.on('close', () => slots.release(network, amount))
    done()
  })

  // An answer shows that the server works, whether or not its client is still there to read it.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.slots > 0) unansweredSince = undefined
    done()
  })

  return {
    get slots() {
      return slots.used
    },
    /** Whether requests are being refused, or the next one of the busiest network would be. */
    get overloaded() {
      return slots.isScarce()
    },
    /** Whether there were requests, and for a long time none of them was answered. */
    get stuck() {
      return unansweredSince !== undefined && performance.now() - unansweredSince > limits.stuckAfter
    },
  }
}
