import { AsyncLocalStorage } from 'node:async_hooks'
import { errorCodes, type FastifyInstance } from 'fastify'
import { badRequest, unavailable } from '../errors.ts'
import type { ReadBody } from '../http/json.ts'
import { networkOf } from '../http/network.ts'
import type { EvictingPool, Holder } from './evicting-pool.ts'

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
 * Returns the reader of request bodies, which calls `done` with the complete body or with an error. Incomplete bodies are held in
 * `pool`: one that is evicted is rejected. Fastify's own reader only limits each body.
 */
export function bodyReader(app: FastifyInstance, pool: EvictingPool<Holder>): ReadBody {
  app.decorateRequest('bodyBytes', 0)

  return (request, payload, given) => {
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
  }
}

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
const tooManyChunks = () =>
  badRequest('request body', 'too-complex', `must have at most ${mostChunks.toLocaleString('en')} chunks`, {
    chunks: mostChunks,
  })
const tooMany = () => unavailable('too-many-uploads', 2)
