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
  // For the address of the service worker.
  'trusted-types service-worker',
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

const hstsHeader = ({ hsts }: Config) => (hsts ? { 'strict-transport-security': 'max-age=31536000' } : {})

/** Headers of a response that is not a page: browsers do not execute or store it. */
export const apiHeaders = (config: Config): Record<string, string> => ({ ...onApi, ...hstsHeader(config) })

/** Returns a function from a path to its security headers (OWASP Secure Headers). */
export function headersFor(config: Config) {
  const [page, api] = [{ ...onPages, ...hstsHeader(config) }, apiHeaders(config)]
  return (path: string) => (path.startsWith('/api/') ? api : page)
}

export function securityHeaders(app: FastifyInstance, config: Config) {
  const headersOf = headersFor(config)
  app.addHook('onRequest', (request, reply, done) => {
    // The path of a call can be encoded, as in /%61pi/, so the matched route decides.
    const { url = '' } = request.routeOptions
    reply.headers(headersOf(url.startsWith('/api/') ? url : request.url)).header('x-request-id', request.id)
    done()
  })
}
