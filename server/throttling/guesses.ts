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

/** Whose password, and where somebody tries it. The account is an email, or the id of a user; it may not exist. */
type Place = { account: string; address: string }

export type Guess = Place & {
  /** Whether it is tried with a session. Such guesses share no count with logins, and so cannot keep the owner out. */
  signedIn: boolean
}

/** What a guess counts against, in the order in which the rows are locked. */
const subjectsOf = ({ account, address, signedIn }: Guess) =>
  [
    { policy: fromAddress, of: signedIn ? `${networkOf(address)} ${account}` : networkOf(address) },
    { policy: toAccount, of: account },
    { policy: fromSite, of: siteAndAccount({ account, address }) },
  ] as const

const siteAndAccount = ({ account, address }: Place) => `${siteOf(address)} ${account}`

const knownSiteOf = (place: Place) => ({ policy: knownSite, of: siteAndAccount(place) })

type Counts = readonly [address: Count, account: Count, site: Count]

/** Milliseconds to wait: at the address alone, and in all. */
function waits(now: number, [address, account, site]: Counts, known: boolean) {
  const underAttack = account.count >= toAccount.max
  const atAddress = waitAfter(now, fromAddress, address)
  const atSite = waitAfter(now, underAttack && !known ? fromUnknownSite : fromSite, site)
  return { atAddress, inAll: Math.max(atAddress, atSite) }
}

/** A look before anything is counted: whether the owner has signed in from this site, and what a guess has to wait. */
export async function foresee(db: Db, guess: Guess, now: number) {
  const [address, account, site, signedIn] = await readCounts(
    db,
    [...subjectsOf(guess), knownSiteOf(guess)],
    now,
  )
  const known = signedIn.count > 0
  return { known, ...waits(now, [address, account, site], known) }
}

/**
 * Counts a guess, or answers how many milliseconds to wait. It stands in the database before the outcome is known, so
 * neither a restart, a second server nor many guesses at once make room for more.
 * A refused guess counts against its address alone: polling makes the wait of nobody else longer.
 */
export async function countGuess(db: Db, guess: Guess, known: boolean, now: number): Promise<number> {
  let wait = 0
  await changeCounts(db, subjectsOf(guess), now, (counts) => {
    const { atAddress, inAll } = waits(now, counts, known)
    wait = inAll
    if (atAddress) return counts
    const [address, account, site] = counts
    if (wait) return [increment(address, now), account, site]
    return [increment(address, now), known ? account : increment(account, now), increment(site, now)]
  })
  return wait
}

/** Takes back what `countGuess` counted: the guess was right. Holds the account's row until the transaction ends. */
export async function forgiveGuess(db: Db, guess: Guess, known: boolean, now: number) {
  await changeCounts(db, subjectsOf(guess), now, ([address, account, site]) => [
    decrement(address),
    known ? account : decrement(account),
    decrement(site),
  ])
}

/** Remembers that the owner has signed in from this site, which keeps it open to them while others guess. */
export async function rememberSite(db: Db, place: Place, now: number) {
  const subject = knownSiteOf(place)
  const [{ count, since }] = await readCounts(db, [subject], now)
  if (count > 0 && since > now - renewedEvery) return
  const isNew = count === 0
  if (isNew && (await countAttempt(db, { policy: knownSites, of: place.account }, now))) return
  await changeCounts(db, [subject], now, () => [{ count: 1, since: now, last_at: now }])
}
