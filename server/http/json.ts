import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance } from 'fastify'
import type { RequestBodies } from './request-bodies.ts'

/** Reads JSON bodies, and no others. */
export function parseJson(app: FastifyInstance, bodies: RequestBodies) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', (request, payload, done) =>
    bodies.read(request, payload, (error, body) => {
      if (!body) return done(error)
      // No body is no body, also where a client announces JSON and sends none, as many do with DELETE.
      if (body.length === 0) return done(null, undefined)
      // Decoding would put U+FFFD where the bytes are no text, and store what nobody wrote.
      if (!isUtf8(body)) return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
      return parse(request, body.toString(), done)
    }),
  )
}
