import type { Db } from '../database/schema.ts'
import { networkOf, siteOf } from '../http/network.ts'
import {
  type Count,
  changeCounts,
  countAttempt,
  decrement,
  increment,
  readCounts,
  waitAfter,
} from './attempts.ts'
import {
  fromAddress,
  fromSite,
  fromUnknownSite,
  knownSite,
  knownSites,
  renewedEvery,
  toAccount,
} from './policies.ts'

/** The account whose password is guessed, and the client's address. The account is an email or a user id, and may not exist. */
type Place = { account: string; address: string }

export type Guess = Place & {
  /** Whether the client has a session. These guesses have separate counts, so they cannot lock the owner out. */
  signedIn: boolean
}

/** The subjects of a guess, in the order in which their rows are locked. */
const subjectsOf = ({ account, address, signedIn }: Guess) =>
  [
    { policy: fromAddress, of: signedIn ? `${networkOf(address)} ${account}` : networkOf(address) },
    { policy: toAccount, of: account },
    { policy: fromSite, of: siteAndAccount({ account, address }) },
  ] as const

const siteAndAccount = ({ account, address }: Place) => `${siteOf(address)} ${account}`

const knownSiteOf = (place: Place) => ({ policy: knownSite, of: siteAndAccount(place) })

type Counts = readonly [address: Count, account: Count, site: Count]

/** Returns the milliseconds to wait: because of the address alone, and in total. */
function waits(now: number, [address, account, site]: Counts, known: boolean) {
  const underAttack = account.count >= toAccount.max
  const atAddress = waitAfter(now, fromAddress, address)
  const atSite = waitAfter(now, underAttack && !known ? fromUnknownSite : fromSite, site)
  return { atAddress, total: Math.max(atAddress, atSite) }
}

/** Returns how long a guess has to wait, and whether the owner has logged in from this site, without counting it. */
export async function readWaits(db: Db, guess: Guess, now: number) {
  const [address, account, site, signedIn] = await readCounts(
    db,
    [...subjectsOf(guess), knownSiteOf(guess)],
    now,
  )
  const known = signedIn.count > 0
  return { known, ...waits(now, [address, account, site], known) }
}

/**
 * Counts a guess and returns 0, or returns the milliseconds to wait. The guess is counted before its outcome is known, so
 * restarts, several servers and concurrent guesses allow no additional ones. A rejected guess counts only for its
 * address, so polling does not extend the wait of others.
 */
export async function countGuess(db: Db, guess: Guess, known: boolean, now: number): Promise<number> {
  let wait = 0
  await changeCounts(db, subjectsOf(guess), now, (counts) => {
    const { atAddress, total } = waits(now, counts, known)
    wait = total
    if (atAddress) return counts
    const [address, account, site] = counts
    if (wait) return [increment(address, now), account, site]
    return [increment(address, now), known ? account : increment(account, now), increment(site, now)]
  })
  return wait
}

/** Reverts the counts of a correct guess. Locks the account's row until the transaction ends. */
export async function revertGuess(db: Db, guess: Guess, known: boolean, now: number) {
  await changeCounts(db, subjectsOf(guess), now, ([address, account, site]) => [
    decrement(address),
    known ? account : decrement(account),
    decrement(site),
  ])
}

/** Records that the owner has logged in from this site, so that guesses from other sites do not delay the owner here. */
export async function rememberSite(db: Db, place: Place, now: number) {
  const subject = knownSiteOf(place)
  const [{ count, since }] = await readCounts(db, [subject], now)
  if (count > 0 && since > now - renewedEvery) return
  const isNew = count === 0
  if (isNew && (await countAttempt(db, { policy: knownSites, of: place.account }, now))) return
  await changeCounts(db, [subject], now, () => [{ count: 1, since: now, last_at: now }])
}
