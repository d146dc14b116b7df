import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance } from 'fastify'
import type { RequestBodies } from './request-bodies.ts'

/** Registers the parser of JSON bodies and removes all others. */
export function parseJson(app: FastifyInstance, bodies: RequestBodies) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', (request, payload, done) =>
    bodies.read(request, payload, (error, body) => {
      if (!body) return done(error)
      // Many clients send `Content-Type: application/json` without a body in DELETE requests.
      if (body.length === 0) return done(null, undefined)
      // Decoding would replace invalid bytes with U+FFFD and store a text that the client did not send.
      if (!isUtf8(body)) return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
      return parse(request, body.toString(), done)
    }),
  )
}
