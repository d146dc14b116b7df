import pg from 'pg'
import { type HttpError, storageFull, unavailable } from '../errors.ts'
import { ConnectionLost } from './postgres-pool.ts'

/** Codes of errors after which a transaction may succeed if it is retried: serialization failure, deadlock. */
export const conflicts = ['40001', '40P01']

/** Codes with which a COMMIT fails although it may have succeeded: lost connections, an ended server, internal errors. */
const unknownOutcomes = /^(08|57P|40003|XX)/

export const codeOf = (error: unknown) => (error instanceof pg.DatabaseError && error.code) || ''

/** Whether a transaction whose COMMIT failed with this error may nevertheless be committed. */
export const leavesOutcomeUnknown = (error: unknown) =>
  error instanceof ConnectionLost || unknownOutcomes.test(codeOf(error))

export const outcomeUnknown = () =>
  unavailable(
    'The database connection was lost during the change. It may or may not be stored: check before you send it again.',
  )

/** Converts an error of PostgreSQL to a response. Returns undefined for other errors. */
export function explainPostgres(error: unknown): HttpError | undefined {
  if (error instanceof ConnectionLost) return unavailable('The database cannot be reached at this moment.')
  const code = codeOf(error)
  if (code === '53100') return storageFull()
  if (code === '25006')
    return unavailable('The database accepts no changes at this moment. Nothing was changed.')
  // A connection or a server that ended; with Citus, also that of one of the workers.
  if (/^(08|57P)/.test(code))
    return unavailable('A part of the database cannot be reached at this moment. Nothing was changed.')
  // Too many connections (53), a statement timeout, and conflicts in all retries.
  if (/^53/.test(code) || code === '57014' || conflicts.includes(code)) {
    return unavailable('The database is too busy at this moment. Nothing was changed.')
  }
}
