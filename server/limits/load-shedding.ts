import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { networkOf } from '../http/network.ts'
import { FairShare } from './fair-share.ts'
import type { LoadLimits } from './load-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is exempt from load shedding. */
    neverShed?: boolean
  }
  interface FastifyRequest {
    /** The number of slots that the request holds or held; 0 until the request is complete. */
    slots: number
    /** Whether the work for the request has ended. */
    isAnswered: boolean
  }
}

/** Rejects requests above the limit early, so that accepted requests stay fast. */
export function shedLoad(app: FastifyInstance, limits: LoadLimits) {
  const slots = new FairShare(limits.slots)
  let waitingSince: number | undefined
  let rejected = 0
  app.decorateRequest('slots', 0)
  app.decorateRequest('isAnswered', false)

  const release = ({ ip, slots: held }: FastifyRequest) => slots.release(networkOf(ip), held)
  /** A change whose client has left still waits for its turn, with its whole body. */
  const holdsBody = ({ bodyBytes, isAnswered }: FastifyRequest) => bodyBytes > 0 && !isAnswered

  function overload(request: FastifyRequest, amount: number) {
    if (request.routeOptions.config.neverShed || slots.allows(networkOf(request.ip), amount)) return
    rejected++
    return unavailable('overloaded', 2)
  }

  // Before any other work, such as authentication.
  app.addHook('onRequest', (request, _reply, done) => done(overload(request, 1)))

  // A request takes its slots when it is complete, so slow uploads do not hold slots.
  app.addHook('preValidation', (request, { raw: response }, done) => {
    // The client disconnected during authentication. No second 'close' event would release the slots.
    if (response.closed) return
    const { neverShed, isStream } = request.routeOptions.config
    if (neverShed || isStream) return done()
    const amount = 1 + Math.floor(request.bodyBytes / limits.bytesPerSlot)
    const error = overload(request, amount)
    if (error) return done(error)
    slots.take(networkOf(request.ip), amount)
    request.slots = amount
    waitingSince ??= performance.now()
    // Fastify does not call onResponse if the client disconnects before the response.
    response.on('close', () => holdsBody(request) || release(request))
    done()
  })

  // Any response shows that the server works, even if its client has disconnected and it cannot be sent.
  app.addHook('onSend', (request, { raw: response }, _payload, done) => {
    if (request.slots > 0) {
      waitingSince = undefined
      if (response.closed && holdsBody(request)) release(request)
      request.isAnswered = true
    }
    done()
  })

  return {
    get slots() {
      return slots.used
    },
    /** The number of requests that were rejected since the start. */
    get rejected() {
      return rejected
    },
    /** Whether requests are rejected, or the next one of the busiest network would be. */
    get overloaded() {
      return slots.isScarce
    },
    /** Whether there have been requests but no response for a long time. */
    get stuck() {
      return waitingSince !== undefined && performance.now() - waitingSince > limits.stuckAfter
    },
  }
}
