import { type HttpError, storageFull, unavailable } from '../errors.ts'

/** SQLite's primary result codes; an extended one has more bits above the lowest eight. */
const codes = { busy: 5, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 }

const codeOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff

export const isBusy = (error: unknown) => codeOf(error) === codes.busy

/** What SQLite read is not what SQLite wrote. */
export const isDamage = (error: unknown) => [codes.corrupt, codes.notADatabase].includes(codeOf(error))

const isInaccessible = (error: unknown) =>
  [codes.readOnly, codes.ioError, codes.cannotOpen].includes(codeOf(error))

export function explainSqlite(error: unknown): HttpError | undefined {
  if (isBusy(error)) return unavailable('The database is busy. Try again in a moment.')
  if (codeOf(error) === codes.full) return storageFull()
  if (isDamage(error)) return unavailable('The database file is damaged. Its operator must restore it.', 60)
  // Not remembered as damage: a call that succeeds after it has read, or synced, all that it needs.
  if (isInaccessible(error))
    return unavailable('The database file cannot be read or written at this moment.', 5)
}
