import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { EvictingPool, type Holder, largestHolder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { networkOf } from './network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body, once it has arrived. */
    bodyBytes: number
  }
}

/** What a chunk takes beside its bytes, so that a body in a million pieces counts as what it costs. */
const bytesPerChunk = 256

export type RequestBodies = ReturnType<typeof boundRequestBodies>

type Done = (error: Error | null, body?: Buffer) => void

/**
 * Reads request bodies, and bounds what all of those hold that have not wholly arrived: beyond it, the network with the
 * most loses its largest. Fastify's own reader bounds each of them alone.
 */
export function boundRequestBodies(app: FastifyInstance, limits: LoadLimits) {
  const pool = new EvictingPool<Holder>(limits.unfinishedBodyBytes, largestHolder)
  app.decorateRequest('bodyBytes', 0)

  return {
    /** Bytes of all bodies that have not wholly arrived. */
    get bytes() {
      return pool.used
    },

    /** Answers with the whole body, or with why it cannot be had. */
    read(request: FastifyRequest, payload: IncomingMessage, done: Done) {
      const limit = request.routeOptions.bodyLimit
      if (Number(request.headers['content-length']) > limit) return done(tooLarge())
      const chunks: Buffer[] = []
      const body: Holder = { network: networkOf(request.ip), evict: () => end(tooMany()) }

      const onData = (chunk: Buffer) => {
        request.bodyBytes += chunk.length
        if (request.bodyBytes > limit) return end(tooLarge())
        chunks.push(chunk)
        pool.hold(body, chunk.length + bytesPerChunk)
      }
      const end = (error?: Error & { statusCode?: number }) => {
        payload.off('data', onData).off('end', end).off('error', end)
        pool.release(body)
        if (!error) return done(null, Buffer.concat(chunks, request.bodyBytes))
        chunks.length = 0
        // A body that breaks off is the client's fault.
        error.statusCode ??= 400
        done(error)
      }
      payload.on('data', onData).on('end', end).on('error', end)
    },
  }
}

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
const tooMany = () =>
  unavailable('The server holds as many unfinished requests as it can. Try again in a moment.', 2)
