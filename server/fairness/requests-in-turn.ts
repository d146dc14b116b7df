import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf, siteOf } from './network.ts'
import { atEndOfTurn, type Party, runAsProbe, runRequestAs, turn } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response was serialized in a turn, in which it is also sent. */
    isSerialized: boolean
  }
}

/**
 * Smaller texts are parsed, serialized and sent in microseconds, in the same turn as the work before, and fit into the buffers of the
 * operating system.
 */
const smallBytes = 16 * 1024

/** The leading characters of an Authorization header that name a user: `Bearer ` and most of the id in the token. */
const accountLength = 28

/** The maximum number of groups of accounts that one network has. */
const groupsPerNetwork = 256

/** Nobody can choose an account that shares the group of another one. */
const seed = randomInt(2 ** 32)

/** Returns the group of the account that a request claims. The claim may be false, so the number of groups is limited. */
export function accountGroupOf(authorization = ''): string {
  let hash = seed
  const end = Math.min(authorization.length, accountLength)
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ authorization.charCodeAt(at), 16_777_619)
  return String((hash >>> 16) % groupsPerNetwork)
}

/** The Authorization header, or that of the token in the address of a calendar, whose programs send none. */
export const claimIn = ({ authorization }: FastifyRequest['headers'], url: string) =>
  authorization ?? (url.startsWith('/feed/') ? url.replace('/feed/', 'Bearer ') : '')

/**
 * A false name of an account delays only clients of the same network. A class, because V8 makes a map of an object whose getter is a
 * closure, and the map keeps what the getter refers to, here the request, until the next collection of the whole heap.
 */
class RequestParty implements Party {
  readonly #request: FastifyRequest
  #groups: string[] | undefined

  constructor(request: FastifyRequest) {
    this.#request = request
  }

  get groups(): readonly string[] {
    const { ip, headers, url } = this.#request
    this.#groups ??= ['clients', siteOf(ip), networkOf(ip), accountGroupOf(claimIn(headers, url))]
    return this.#groups
  }
}

/**
 * Makes requests take turns. A request takes a turn before anything is done for it, and a long response takes a turn in which
 * it is made and sent. Probes never wait. If making and sending were two pieces, all responses that were begun together, for
 * example by one transaction, would be made before the first of them is sent. A response with 40 texts of control characters
 * has 22 MB.
 *
 * The short responses that one turn makes are sent together, after its last request. Sent one by one, each of them wakes a
 * client or a proxy that waits on the same machine, which takes longer than making most responses.
 *
 * Must be registered before all other `onSend` hooks, because Fastify catches errors of sending only after another hook. `onLong` is
 * called with each response that is not short before it is sent.
 */
export function takeTurns(app: FastifyInstance, onLong: (reply: FastifyReply, bytes: number) => void) {
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (request.routeOptions.config.neverShed) return runAsProbe(done)
    runRequestAs(new RequestParty(request), () => {
      if (!response.closed) done()
    })
  })

  app.decorateRequest('isSerialized', false)
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    request.isSerialized = true
    const wait = turn()
    if (wait) wait.then(() => done(null, payload))
    else done(null, payload)
  })

  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (lengthOf(payload) <= smallBytes) return atEndOfTurn(() => done())
    // Sent as bytes: V8 would copy a long text that consists of parts whenever its size in bytes is requested.
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    const wait = request.isSerialized ? undefined : turn()
    const send = () => {
      onLong(reply, lengthOf(bytes))
      done(null, bytes)
    }
    if (wait) wait.then(send)
    else send()
  })
}

const lengthOf = (payload: unknown) =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0

/** Begins a turn for a text of this size before `work` parses it, unless it is short. */
export function inTurnFor(bytes: number, work: () => void) {
  const wait = bytes > smallBytes ? turn() : undefined
  if (wait) wait.then(work)
  else work()
}
