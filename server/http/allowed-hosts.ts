import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { badRequest, HttpError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts every host: load balancers send requests for an IP address. */
    anyHost?: boolean
  }
}

const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]+)(:\d{0,5})?$/i
const absoluteForm = /^https?:\/\/([^/?#]*)/i

/** Rejects requests without a valid Host header, or for a host that is not in ALLOWED_HOSTS, before any other work. */
export function checkHost(app: FastifyInstance, { allowedHosts }: Config) {
  const allowed = new Set(allowedHosts)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasOneHost(request.raw))
      return done(badRequest('Host', 'ambiguous-host', 'must be sent once, as a name or an address'))
    if (allowed.size === 0 || request.routeOptions.config.anyHost) return done()
    const host = hostNameOf(request)
    done(allowed.has(host) ? undefined : new HttpError('wrong-host', { host }))
  })
}

/** Converts a request target in absolute form to its path (RFC 9112, 3.2.2), because routes match paths. */
export function originForm({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const path = url.replace(absoluteForm, '')
  return path === '' || path.startsWith('?') ? `/${path}` : path
}

/** Requires exactly one valid Host header (RFC 9112, 3.2). Only HTTP/1.0 may omit it. */
function hasOneHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 0 ? httpVersion === '1.0' : count === 1 && authority.test(headers.host ?? '')
}

/** Returns the requested host without its port. X-Forwarded-Host counts only from TRUSTED_PROXIES. */
function hostNameOf({ originalUrl, host }: FastifyRequest): string {
  const target = absoluteForm.exec(originalUrl)?.[1] ?? host
  return (authority.exec(target)?.[1] ?? '').toLowerCase()
}
