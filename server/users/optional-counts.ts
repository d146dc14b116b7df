import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { failureLog } from '../http/failure-log.ts'

const logFailure = failureLog()

/**
 * Runs `count`, or `without` if a part of a distributed database cannot be reached: a login does not fail because the count of its
 * network is on that part. If `without` fails too, the part has something that the login needs.
 */
export async function orWithout<T>(
  database: Database,
  log: FastifyBaseLogger,
  count: () => Promise<T>,
  without: () => Promise<T>,
): Promise<T> {
  try {
    return await count()
  } catch (error) {
    if (!database.isOfOnePart(error)) throw error
    const result = await without()
    logFailure(log, 'warn', {}, error as Error, 'a network was not limited: its count cannot be reached')
    return result
  }
}
