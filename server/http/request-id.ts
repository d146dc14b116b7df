import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { inNetworks } from './network.ts'

/** A valid id, which is logged and sent back: it contains nothing that could end a line or a header. */
const valid = /^[\w.:=+/-]{1,128}$/

/** Returns the function that names requests: with the X-Request-Id of a trusted proxy, otherwise with a new id. */
export function requestIds(trustedProxies: string[]) {
  const isProxy = inNetworks(trustedProxies)
  return ({ headers, socket }: IncomingMessage): string => {
    const given = headers['x-request-id']
    return typeof given === 'string' && valid.test(given) && isProxy(socket.remoteAddress ?? '')
      ? given
      : randomUUID()
  }
}
