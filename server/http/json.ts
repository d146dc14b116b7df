import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance } from 'fastify'
import { badRequest } from '../errors.ts'
import type { RequestBodies } from '../fairness/request-bodies.ts'
import { inTurnFor } from '../fairness/requests-in-turn.ts'

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
      inTurnFor(body.length, () =>
        isSimple(body) ? parse(request, body.toString(), done) : done(tooComplex()),
      )
    }),
  )
}

/**
 * A body of the contract has five levels and at most 6,000 colons and commas, one for each key and entry. Parsing a megabyte of
 * others takes ten times as long.
 */
const limits = { levels: 32, keysAndEntries: 10_000 }

const tooComplex = () =>
  badRequest(
    'request body',
    'too-complex',
    `must have at most ${limits.levels} levels, and ${limits.keysAndEntries.toLocaleString('en')} keys and entries`,
    limits,
  )

const [quote, backslash, colon, comma, opening, closing, openingBrace, closingBrace] = [
  ...Buffer.from('"\\:,[]{}'),
]

/** Counts in one pass, without parsing. */
function isSimple(body: Buffer): boolean {
  let [levels, keysAndEntries] = [0, 0]
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case quote:
        for (at++; at < body.length && body[at] !== quote; at++) if (body[at] === backslash) at++
        break
      case colon:
      case comma:
        if (++keysAndEntries > limits.keysAndEntries) return false
        break
      case opening:
      case openingBrace:
        if (++levels > limits.levels) return false
        break
      case closing:
      case closingBrace:
        levels--
    }
  }
  return true
}
