import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { badRequest, unavailable } from '../errors.ts'
import type { BodyDone } from '../http/json.ts'
import { networkOf } from '../http/network.ts'
import { EvictingPool, type Holder, largestHolder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The size of the body in bytes, once it is complete. */
    bodyBytes: number
  }
}

/** The memory overhead of a chunk, so that a body in many small chunks counts with its real cost. */
const bytesPerChunk = 256

/** The maximum number of chunks of a body. Each takes processor time, regardless of its size. */
const mostChunks = 10_000

/**
 * Reads request bodies and limits the memory of all incomplete ones together. Above the limit, the largest body of the
 * network with the most bytes is rejected. Fastify's own reader only limits each body.
 */
export function limitRequestBodies(app: FastifyInstance, limits: LoadLimits) {
  const pool = new EvictingPool<Holder>(limits.unfinishedBodyBytes, largestHolder)
  app.decorateRequest('bodyBytes', 0)

  return {
    /** Bytes of all incomplete bodies. */
    get bytes() {
      return pool.used
    },

    /** Calls `done` with the complete body or with an error. */
    read(request: FastifyRequest, payload: IncomingMessage, given: BodyDone) {
      const done = AsyncLocalStorage.bind(given)
      const limit = request.routeOptions.bodyLimit
      if (Number(request.headers['content-length']) > limit) return done(tooLarge())
      const chunks: Buffer[] = []
      const body: Holder = { network: networkOf(request.ip), evict: () => end(tooMany()) }

      const onData = (chunk: Buffer) => {
        request.bodyBytes += chunk.length
        if (request.bodyBytes > limit) return end(tooLarge())
        if (chunks.length === mostChunks) return end(tooManyChunks())
        chunks.push(chunk)
        pool.hold(body, chunk.length + bytesPerChunk)
      }
      const end = (error?: Error & { statusCode?: number }) => {
        payload.off('data', onData).off('end', end).off('error', end)
        pool.release(body)
        if (!error) return done(null, Buffer.concat(chunks, request.bodyBytes))
        chunks.length = 0
        // An interrupted body is a client error.
        error.statusCode ??= 400
        done(error)
      }
      payload.on('data', onData).on('end', end).on('error', end)
    },
  }
}

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
const tooManyChunks = () =>
  badRequest('request body', 'too-complex', `must have at most ${mostChunks.toLocaleString('en')} chunks`, {
    chunks: mostChunks,
  })
const tooMany = () => unavailable('too-many-uploads', 2)
