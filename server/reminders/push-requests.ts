import { type LookupAddress, lookup } from 'node:dns'
import type { ClientRequest } from 'node:http'
import { Agent, request } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { pushAddress } from './push-services.ts'

export const requestsPerService = 100

const [longestRequest, longestAnswer] = [10_000, 16_384]

/** What a push service answered, and the seconds after which it wants the next attempt. */
export type PushAnswer = { status: number; retryAfter: number }

type PushRequest = { endpoint: string; headers: Record<string, string>; body: Uint8Array }

/**
 * Returns a function that sends a message to a push service. It follows no redirect, takes ten seconds at most, and reads a short part of
 * the answer, which it does not need.
 */
export function pushRequests(addedHosts: readonly string[]) {
  const lookup = publicLookup(addedHosts)
  // All connections are kept: beginning one takes more of a core than sending a message.
  const agent = new Agent({
    ...{ keepAlive: true, maxSockets: requestsPerService, maxFreeSockets: requestsPerService, lookup },
  })
  const open = new Set<ClientRequest>()

  /** `mayBegin` is asked when the connection is open, which it may be only after a pause of this process. */
  function send({ endpoint, headers, body }: PushRequest, mayBegin: () => boolean): Promise<PushAnswer> {
    // The operator may have removed its host since.
    const url = pushAddress(endpoint, addedHosts)
    if (!url) return Promise.resolve({ status: 410, retryAfter: 0 })
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.byteLength } }
    return new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        const { statusCode: status = 0 } = response
        const seconds = Number(response.headers['retry-after'])
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length > longestAnswer) response.destroy()
        })
        // The status says everything: what happens to the rest of the answer does not matter.
        response.on('error', () => {})
        resolve({ status, retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : 0 })
      })
      const end = () => sent.destroy(new Error(`${url.host} did not answer within ten seconds`))
      const timer = setTimeout(end, longestRequest)
      open.add(sent)
      sent.on('close', () => {
        clearTimeout(timer)
        open.delete(sent)
      })
      sent.on('error', reject)
      const begin = () => {
        if (mayBegin()) sent.end(body)
        else sent.destroy(new Error(`the lease of a message to ${url.host} has ended`))
      }
      sent.on('socket', (socket) => {
        if (socket.connecting) socket.once('secureConnect', begin)
        else begin()
      })
    })
  }

  return {
    send,
    close() {
      for (const sent of open) sent.destroy()
      agent.destroy()
    },
  }
}

type Resolve = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

const isPublic = ({ address }: LookupAddress) => ipaddr.process(address).range() === 'unicast'

/**
 * Returns a lookup for connections that leads to public addresses only, except for hosts that the operator has added. The connection
 * uses the address that was checked, so that a second answer of the DNS changes nothing.
 */
export function publicLookup(added: readonly string[], resolve: Resolve = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { all: true }, (error, found) => {
      if (error) return done(error, [])
      const addresses = added.includes(host) ? found : found.filter(isPublic)
      const [first] = addresses
      if (!first) return done(new Error(`${host} has no public address`), [])
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
