import { LogController } from 'fastify'
import type { Config } from './config.ts'

/**
 * One JSON object a line on standard output (pino). What is logged of a request is its id, method, path and address;
 * of an error its kind and place. Never headers, bodies or the values of a query: no token, password or task text.
 */
export function logger({ logLevel }: Config) {
  return {
    logger: {
      level: logLevel,
      serializers: {
        req: (request: { id: string; method: string; url: string; ip: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?')[0],
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
    // A line for each request costs more than answering it; LOG_LEVEL=debug brings them.
    logController: new LogController({ disableRequestLogging: logLevel !== 'debug' }),
  }
}
