import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { networkOf } from '../http/network.ts'
import { countGuess, type Guess, readWaits, rememberSite, revertGuess } from './guesses.ts'
import { orWithout } from './optional-counts.ts'
import { inTurn, verifyPassword } from './password.ts'
import { type Credentials, lockCredentials, setPasswordHash } from './user-queries.ts'

type Target = {
  guess: Guess
  /** The query for the accounts that the guess may be for. As many results are undefined as do not exist. */
  find: (db: Db) => Promise<(Credentials | undefined)[]>
  log: FastifyBaseLogger
}

/** The number of guesses from each network that are counted and being checked. */
const checking = new Map<string, number>()

/**
 * Returns the account if the password is correct, after `work` has run in the transaction that locked its credentials.
 * Only wrong passwords remain counted. Throws a 429 after too many, whether or not this password is correct.
 */
export async function tryPassword(
  database: Database,
  { guess, find, log }: Target,
  password: string,
  work: (db: Db, userId: string) => Promise<void> = async () => {},
): Promise<Credentials | undefined> {
  const { read, write } = database
  const network = networkOf(guess.address)
  const counting = <T>(work: (guess: Guess) => Promise<T>) =>
    orWithout(
      database,
      log,
      () => work(guess),
      () => work({ ...guess, withoutNetwork: true }),
    )
  const wasChecking = checking.has(network)
  const { known, ofNetwork, ofAccount, isNoted } = await counting((guess) =>
    readWaits(read, guess, Date.now()),
  )
  // Correct guesses of the same network that are being checked are still counted: its limit is decided in turn.
  const wait = Math.max(wasChecking || checking.has(network) ? 0 : ofNetwork, ofAccount)
  // Guesses that have to wait do not enter the queue. Repeated ones cost only this read.
  if (wait && isNoted) throw waitFor(wait)
  const count = async () => {
    const counted = await counting((guess) => write((db) => countGuess(db, guess, known, Date.now())))
    if (typeof counted === 'number') throw waitFor(counted)
    return counted
  }
  const early = wait ? await count() : undefined
  // Counted only when its turn has come, so that concurrent logins from one office are not counted all at once.
  return inTurn(guess.address, async () => {
    checking.set(network, (checking.get(network) ?? 0) + 1)
    try {
      const counted = early ?? (await count())
      const found = await findMatching(await find(read), password)
      if (!found) return undefined
      const { account, passwordHash } = found
      return await counting((guess) =>
        write(async (db) => {
          const now = Date.now()
          // Locks the account's row of guesses, which serializes concurrent calls of one account.
          await revertGuess(db, guess, counted, now)
          if (!(await lockCredentials(db, account))) return undefined
          if (passwordHash !== account.passwordHash) await setPasswordHash(db, account.id, passwordHash)
          await rememberSite(db, guess, now)
          await work(db, account.id)
          return { ...account, passwordHash }
        }),
      )
    } finally {
      const others = (checking.get(network) ?? 1) - 1
      if (others > 0) checking.set(network, others)
      else checking.delete(network)
    }
  })
}

/** Returns the first account that the password is of, and the hash to store for it. */
async function findMatching(accounts: (Credentials | undefined)[], password: string) {
  for (const account of accounts) {
    const passwordHash = await verifyPassword(password, account?.passwordHash)
    if (account && passwordHash !== undefined) return { account, passwordHash }
  }
}

const waitFor = (milliseconds: number) =>
  new HttpError('too-many-attempts', { seconds: Math.ceil(milliseconds / 1000) })
