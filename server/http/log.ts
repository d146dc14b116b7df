import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'

/** The address of a calendar has a token in it. In whatever way the rest of the path is written, the token is not logged. */
const tokenInPath = /[\w-]{50,}/g

/**
 * Configures pino: one JSON object per line on standard output. A request is logged with its id, method, path and IP
 * address, an error with its type and stack. Headers, bodies and query strings are never logged, because they hold
 * tokens, passwords and task texts.
 */
export function logger({ logLevel }: Config) {
  return {
    logger: {
      level: logLevel,
      serializers: {
        req: (request: { id: string; method: string; url: string; ip: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?')[0]?.replace(tokenInPath, '…'),
          address: request.ip,
        }),
        err: ({ name, message, stack, code, cause }: Error & { code?: string }) => ({
          type: name,
          message,
          stack: stack ?? '',
          ...(code ? { code } : {}),
          ...(cause instanceof Error ? { cause: cause.message } : {}),
        }),
      },
    },
    // Logging a request costs more than answering it, so request logging needs LOG_LEVEL=debug.
    logController: new RequestLog({ disableRequestLogging: logLevel !== 'debug' }),
  }
}

class RequestLog extends LogController {
  /** The end of a stream is not logged: its duration would look like that of a slow request. */
  override requestCompleted(
    ...[error, request, reply]: [Error | null | undefined, FastifyRequest, FastifyReply]
  ) {
    if (request.routeOptions.config.isStream && reply.statusCode === 200) return
    super.requestCompleted(error, request, reply)
  }
}
