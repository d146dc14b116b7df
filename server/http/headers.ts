import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Everything comes from this origin, in files of its own; nothing is inline, nothing frames us. */
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
  "trusted-types 'none'",
].join('; ')

const onPages = {
  ...everywhere,
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const onAnswers = {
  ...everywhere,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const strict = ({ hsts }: Config) => (hsts ? { 'strict-transport-security': 'max-age=31536000' } : {})

/** For an answer that is no page: it may do nothing in a browser and is never stored. */
export const answerHeaders = (config: Config): Record<string, string> => ({ ...onAnswers, ...strict(config) })

/** Tells browsers how little an answer from this path may do (OWASP Secure Headers). */
export function headersFor(config: Config) {
  const [page, answer] = [{ ...onPages, ...strict(config) }, answerHeaders(config)]
  return (path: string) => (path.startsWith('/api/') ? answer : page)
}

export function securityHeaders(app: FastifyInstance, config: Config) {
  const headersOf = headersFor(config)
  app.addHook('onRequest', (request, reply, done) => {
    // A call can be spelled /%61pi/ too; what is no call has no route below /api/.
    const { url = '' } = request.routeOptions
    reply.headers(headersOf(url.startsWith('/api/') ? url : request.url))
    done()
  })
}
