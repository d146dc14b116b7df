import { HttpError, unavailable } from '../../errors.ts'

/** SQLite's primary result codes: the lowest eight bits of an extended code. */
const codes = { busy: 5, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 }

/** The extended code of a write beyond the largest size of a file that the operating system allows, for example. */
const cannotWrite = 778

const extendedCodeOf = (error: unknown) => (error as { errcode?: number }).errcode ?? 0
const codeOf = (error: unknown) => extendedCodeOf(error) & 0xff

export const isBusy = (error: unknown) => codeOf(error) === codes.busy

export const isDamage = (error: unknown) => [codes.corrupt, codes.notADatabase].includes(codeOf(error))

const isInaccessible = (error: unknown) =>
  [codes.readOnly, codes.ioError, codes.cannotOpen].includes(codeOf(error))

export function explainSqlite(error: unknown): HttpError | undefined {
  if (isBusy(error)) return unavailable('database-busy')
  if (codeOf(error) === codes.full || extendedCodeOf(error) === cannotWrite)
    return new HttpError('storage-full')
  if (isDamage(error)) return unavailable('database-corrupt', 60)
  // These errors are not permanent damage: later calls may succeed, with correct data.
  if (isInaccessible(error)) return unavailable('database-inaccessible', 5)
}
