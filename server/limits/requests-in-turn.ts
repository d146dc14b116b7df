import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { groupsOf, networkOf } from '../http/network.ts'
import { atEndOfTurn, inTurn, runAsProbe, runRequestAs, smallBytes } from '../turns/turns.ts'
import type { EvictingPool, Holder } from './evicting-pool.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response was serialized in a turn, in which it is also sent. */
    isSerialized: boolean
  }
}

/** The leading characters of an Authorization header that name a user: `Bearer ` and most of the id in the token. */
const accountLength = 28

/** The maximum number of groups that one site has. */
const groupsPerSite = 256

/** Nobody can choose an account that shares the group of another one. */
const seed = randomInt(2 ** 32)

/**
 * Returns the group of a client, or of the account that its request claims. The claim may be false, so the number of groups is
 * limited: a false one delays only clients of the same site.
 */
export function accountGroupOf(address: string, claim = ''): string {
  let hash = seed
  for (const text of [networkOf(address), claim.slice(0, accountLength)])
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return String((hash >>> 16) % groupsPerSite)
}

/** The Authorization header, or that of the token in the address of a calendar, whose programs send none. */
export const claimIn = ({ authorization }: FastifyRequest['headers'], url: string) =>
  authorization ?? (url.startsWith('/feed/') ? url.replace('/feed/', 'Bearer ') : '')

/**
 * Makes requests take turns. A request takes a turn before anything is done for it, and a long response takes a turn in which
 * it is made and sent. Probes never wait. If making and sending were two pieces, all responses that were begun together, for
 * example by one transaction, would be made before the first of them is sent. A response with 40 texts of control characters
 * has 22 MB.
 *
 * The short responses that one turn makes are sent together, after its last request. Sent one by one, each of them wakes a
 * client or a proxy that waits on the same machine, which takes longer than making most responses.
 *
 * Long responses are `unread` until clients have read them. The connection of one that is evicted is closed.
 *
 * Must be registered before all other `onSend` hooks, because Fastify catches errors of sending only after another hook.
 */
export function takeTurns(app: FastifyInstance, unread: EvictingPool<Holder>) {
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (request.routeOptions.config.neverShed) return runAsProbe(done)
    const { ip, headers, url } = request
    runRequestAs(groupsOf(ip, accountGroupOf(ip, claimIn(headers, url))), () => {
      if (!response.closed) done()
    })
  })

  app.decorateRequest('isSerialized', false)
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    request.isSerialized = true
    inTurn(() => done(null, payload))
  })

  app.addHook<unknown>('onSend', (request, { raw: response }, payload, done) => {
    if (lengthOf(payload) <= smallBytes) return atEndOfTurn(() => done())
    // Sent as bytes: V8 would copy a long text that consists of parts whenever its size in bytes is requested.
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    const send = () => {
      if (!response.closed) {
        const { socket } = request.raw
        const holder: Holder = { network: networkOf(request.ip), evict: () => socket.destroy() }
        // The listener is added first, because `hold` may evict this response at once.
        response.on('close', () => unread.release(holder))
        unread.hold(holder, lengthOf(bytes))
      }
      done(null, bytes)
    }
    if (request.isSerialized) send()
    else inTurn(send)
  })
}

const lengthOf = (payload: unknown) =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
