import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { tooManyRequests } from '../errors.ts'
import { countGuess, type Guess, readWaits, rememberSite, revertGuess } from '../throttling/guesses.ts'
import { inTurn, passwordMatches } from './password.ts'
import { type Credentials, lockCredentials } from './user-queries.ts'

/** The guess, and the query for the account, which may not exist. */
type Target = { guess: Guess; find: (db: Db) => Promise<Credentials | undefined> }

/**
 * Returns the account if the password is correct, after `work` has run in the transaction that locked its credentials.
 * Only wrong passwords remain counted. Throws a 429 after too many, whether or not this password is correct.
 */
export async function tryPassword(
  { read, write }: Database,
  { guess, find }: Target,
  password: string,
  work: (db: Db, userId: string) => Promise<void> = async () => {},
): Promise<Credentials | undefined> {
  // Guesses that have to wait do not enter the queue. If the address has to wait, this read is the only cost.
  const { known, atAddress, total } = await readWaits(read, guess, Date.now())
  if (atAddress) throw waitFor(total)
  const count = async () => {
    const wait = await write((db) => countGuess(db, guess, known, Date.now()))
    if (wait) throw waitFor(wait)
  }
  if (total) await count()
  // Counted only when its turn has come, so that concurrent logins from one office are not counted all at once.
  return inTurn(guess.address, async () => {
    if (!total) await count()
    const account = await find(read)
    if (!(await passwordMatches(password, account?.passwordHash))) return undefined
    return write(async (db) => {
      const now = Date.now()
      // Locks the account's row of attempts, which serializes concurrent calls of one account.
      await revertGuess(db, guess, known, now)
      if (!account || !(await lockCredentials(db, account))) return undefined
      await rememberSite(db, guess, now)
      await work(db, account.id)
      return account
    })
  })
}

const waitFor = (milliseconds: number) => tooManyRequests(Math.ceil(milliseconds / 1000))
