import pg from 'pg'
import { HttpError, unavailable } from '../../errors.ts'
import { ConnectionLost, leftIdle } from './pool.ts'

/** Codes of errors after which a transaction may succeed if it is retried: serialization failure, deadlock. */
export const conflicts = ['40001', '40P01']

/** Codes of a COMMIT that may have succeeded although it failed: lost connections, an ended server, internal errors. */
const unknownOutcomes = /^(08|57P|40003|XX)/

export const codeOf = (error: unknown) => (error instanceof pg.DatabaseError && error.code) || ''

export const leavesOutcomeUnknown = (error: unknown) =>
  error instanceof ConnectionLost || unknownOutcomes.test(codeOf(error))

export const outcomeUnknown = () => unavailable('outcome-unknown')

/** Whether the connection to a worker of Citus failed. One to this server itself fails with ConnectionLost. */
export const isOfOnePart = (error: unknown) => /^(08|57P|XX)/.test(codeOf(error))

export function explainPostgres(error: unknown): HttpError | undefined {
  if (error instanceof ConnectionLost || codeOf(error) === leftIdle)
    return unavailable('database-unreachable')
  const code = codeOf(error)
  if (code === '53100') return new HttpError('storage-full')
  if (code === '25006') return unavailable('database-read-only')
  // A connection or a server that ended; with Citus, also that of one of the workers.
  if (/^(08|57P)/.test(code)) return unavailable('database-partly-unreachable')
  // Too many connections (53), a statement timeout, and conflicts in all retries.
  if (/^53/.test(code) || code === '57014' || conflicts.includes(code)) {
    return unavailable('database-too-busy')
  }
}
