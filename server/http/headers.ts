import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const onAllResponses = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Allows only files of this origin; forbids inline scripts and styles, and embedding in frames. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // For the addresses of the service worker, and of the one that reads the files of an import.
  'trusted-types service-worker import-worker',
].join('; ')

const onPages = {
  ...onAllResponses,
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const onApi = {
  ...onAllResponses,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Headers of a response that is not a page: browsers do not execute or store it. */
export const apiHeaders: Record<string, string> = onApi

/** The security headers of a path (OWASP Secure Headers). */
export const headersOf = (path: string) => (/^\/(api|feed)\//.test(path) ? onApi : onPages)

export function securityHeaders(app: FastifyInstance, config: Config) {
  if (config.hsts && config.trustedProxies.length === 0)
    app.log.warn(
      'HSTS has no effect without TRUSTED_PROXIES: only a trusted proxy can say that a request came over HTTPS',
    )
  app.addHook('onRequest', (request, reply, done) => {
    // The path of a call can be encoded, as in /%61pi/, so the matched route decides.
    const { url = '' } = request.routeOptions
    reply.headers(headersOf(headersOf(url) === onApi ? url : request.url)).header('x-request-id', request.id)
    // A trusted proxy says that the request came over HTTPS. Other requests get none (RFC 6797, section 7.2).
    if (config.hsts && request.protocol === 'https')
      reply.header('strict-transport-security', 'max-age=31536000')
    done()
  })
}
