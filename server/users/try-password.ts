import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { tooManyRequests } from '../errors.ts'
import { countGuess, foresee, forgiveGuess, type Guess, rememberSite } from '../throttling/guesses.ts'
import { inTurn, passwordMatches } from './password.ts'
import { type Credentials, lockCredentials } from './user-queries.ts'

/** Whose password is tried, and from where: the account may not exist. */
type Target = { guess: Guess; find: (db: Db) => Promise<Credentials | undefined> }

/**
 * The account, if this is its password; then `work` has been done in the transaction that locked its credentials.
 * Wrong tries count, right ones do not; after too many, right or wrong, a 429 is thrown.
 */
export async function tryPassword(
  { read, write }: Database,
  { guess, find }: Target,
  password: string,
  work: (db: Db, userId: string) => Promise<void> = async () => {},
): Promise<Credentials | undefined> {
  // What has to wait anyway takes no turn from others. Where the address has to wait it costs no more than this look.
  const { known, atAddress, inAll } = await foresee(read, guess, Date.now())
  if (atAddress) throw waitFor(inAll)
  const count = async () => {
    const wait = await write((db) => countGuess(db, guess, known, Date.now()))
    if (wait) throw waitFor(wait)
  }
  if (inAll) await count()
  // Counted only in turn: of many who sign in from one office at once, few stand counted before their outcome is known.
  return inTurn(guess.address, async () => {
    if (!inAll) await count()
    const account = await find(read)
    if (!(await passwordMatches(password, account?.passwordHash))) return undefined
    return write(async (db) => {
      const now = Date.now()
      // Holds the account's row of attempts, so that what several sessions of one account do here happens in turn.
      await forgiveGuess(db, guess, known, now)
      if (!account || !(await lockCredentials(db, account))) return undefined
      await rememberSite(db, guess, now)
      await work(db, account.id)
      return account
    })
  })
}

const waitFor = (milliseconds: number) => tooManyRequests(Math.ceil(milliseconds / 1000))
