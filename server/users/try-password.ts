import { countAttempt, forgiveAttempt, refuseTooMany, type Subject } from '../throttling/attempts.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { inTurn, passwordMatches } from './password.ts'
import type { Credentials } from './user-queries.ts'

/** Whose password is tried: an account that may not exist, and what a wrong try counts against. */
type Target = { subjects: Subject[]; find: (db: Db) => Promise<Credentials | undefined> }

/**
 * The account, if this is its password; then `work` has been done in the transaction that found it unchanged.
 * Wrong tries count, right ones do not; after too many, right or wrong, a 429 is thrown.
 */
export async function tryPassword(
  { read, write }: Database,
  { subjects, find }: Target,
  password: string,
  work: (db: Db, userId: string) => Promise<void> = async () => {},
): Promise<Credentials | undefined> {
  // Whoever has to wait anyway takes no turn from others.
  await refuseTooMany(read, subjects, Date.now())
  // Counted only in turn: of many who sign in from one office at once, few stand counted before their outcome is known.
  return inTurn(async () => {
    await write((db) => countAttempt(db, subjects, Date.now()))
    const account = await find(read)
    if (!(await passwordMatches(password, account?.passwordHash))) return undefined
    return write(async (db) => {
      // Holds the rows of the subjects, so that what several sessions of one account do here happens in turn.
      await forgiveAttempt(db, subjects)
      const now = await find(db)
      if (!now || now.passwordHash !== account?.passwordHash) return undefined
      await work(db, now.id)
      return now
    })
  })
}
