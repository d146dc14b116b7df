import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { badRequest, misdirected } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered whatever host is asked for: a load balancer asks by address. */
    anyHost?: boolean
  }
}

const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]+)(:\d{0,5})?$/i
const absoluteForm = /^https?:\/\/([^/?#]*)/i

/** Refuses a request that names no host, several, or one that ALLOWED_HOSTS does not list, before any work is done for it. */
export function checkHost(app: FastifyInstance, { allowedHosts }: Config) {
  const allowed = new Set(allowedHosts)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasOneHost(request.raw))
      return done(badRequest('Host', 'must be sent once, as a name or an address'))
    if (allowed.size === 0 || request.routeOptions.config.anyHost) return done()
    const host = hostNameOf(request)
    done(allowed.has(host) ? undefined : misdirected(host))
  })
}

/** The path of a request to an absolute address: routes are found by path alone (RFC 9112, 3.2.2). */
export function originForm({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const path = url.replace(absoluteForm, '')
  return path === '' || path.startsWith('?') ? `/${path}` : path
}

/** RFC 9112, 3.2: one valid Host header, which HTTP/1.0 alone may omit. */
function hasOneHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 0 ? httpVersion === '1.0' : count === 1 && authority.test(headers.host ?? '')
}

/** The name of the host that is asked for, without its port; X-Forwarded-Host counts from TRUSTED_PROXIES alone. */
function hostNameOf({ originalUrl, host }: FastifyRequest): string {
  const asked = absoluteForm.exec(originalUrl)?.[1] ?? host
  return (authority.exec(asked)?.[1] ?? '').toLowerCase()
}
