import type { Db } from '../database/schema.ts'
import { networkOf, siteOf } from '../fairness/network.ts'
import {
  type Count,
  countAttempt,
  decrement,
  increment,
  lockCounts,
  readCounts,
  type Subject,
  setCounts,
  unused,
  waitAfter,
} from './attempts.ts'
import {
  fromNetwork,
  fromOffice,
  fromSite,
  fromUnknownSite,
  knownSite,
  knownSites,
  renewedEvery,
  toAccount,
} from './policies.ts'

/** The id of the account whose password is guessed, or one that is derived from an email without an account, and the client's address. */
type Place = { account: string; address: string }

export type Guess = Place & {
  /** Whether the client has a session. These guesses have separate counts, so they cannot lock the owner out. */
  signedIn: boolean
  isOffice: boolean
  /** Set if the count of the network cannot be reached. */
  withoutNetwork?: boolean
}

const networkPolicy = ({ isOffice }: Guess) => (isOffice ? fromOffice : fromNetwork)

/** The network limits the number of accounts, and a client with a session guesses at one. */
const networksOf = (guess: Guess): Subject[] =>
  guess.withoutNetwork || guess.signedIn
    ? []
    : [{ policy: networkPolicy(guess), of: networkOf(guess.address) }]

/** The account's subjects, in the order in which their rows are locked. */
const subjectsOf = (guess: Guess) => {
  const client = guess.signedIn ? 'session' : 'login'
  return [
    { policy: toAccount, of: client },
    { policy: fromSite, of: `${client} ${siteAndAccount(guess)}` },
  ] as const
}

/** With the account, so that equal hashes do not show which accounts share a site. */
const siteAndAccount = ({ account, address }: Place) => `${siteOf(address)} ${account}`

const knownSiteOf = (place: Place) => ({ policy: knownSite, of: siteAndAccount(place) })

type Counts = readonly [network: Count, account: Count, site: Count]

/** Returns the milliseconds to wait: because of the network, and because of this account. */
function waits(now: number, guess: Guess, [network, account, site]: Counts, known: boolean) {
  const underAttack = account.count >= toAccount.max
  return {
    ofNetwork: known ? 0 : waitAfter(now, networkPolicy(guess), network),
    ofAccount: waitAfter(now, underAttack && !known ? fromUnknownSite : fromSite, site),
  }
}

/**
 * Returns how many milliseconds a guess has to wait, because of its network and because of its account, and whether the
 * owner has logged in from this site, without counting it. `isNoted`: counting it would change nothing.
 */
export async function readWaits(db: Db, guess: Guess, now: number) {
  const networks = networksOf(guess)
  const [network = unused(now)] = networks.length > 0 ? await readCounts(db, undefined, networks, now) : []
  const subjects = [...subjectsOf(guess), knownSiteOf(guess)] as const
  const [account, site, signedIn] = await readCounts(db, guess.account, subjects, now)
  const known = signedIn.count > 0
  const { ofNetwork, ofAccount } = waits(now, guess, [network, account, site], known)
  return { known, ofNetwork, ofAccount, isNoted: ofNetwork > 0 || site.last_at < now }
}

/**
 * Changes the counts of a guess, whose rows stay locked until the transaction ends. The network's is locked first and then the
 * account's, in every transaction, and only then the user's row.
 */
async function changeCounts(db: Db, guess: Guess, now: number, change: (counts: Counts) => Counts) {
  const [networks, subjects] = [networksOf(guess), subjectsOf(guess)]
  const [network = unused(now)] = networks.length > 0 ? await lockCounts(db, undefined, networks, now) : []
  const [account, site] = await lockCounts(db, guess.account, subjects, now)
  const [changed, ...others] = change([network, account, site])
  if (networks.length > 0) await setCounts(db, undefined, networks, [changed])
  await setCounts(db, guess.account, subjects, others)
}

/** The counts that a guess was added to. A known site is not counted for the account, and a network counts an account once. */
export type Counted = { known: boolean; inNetwork: boolean }

/**
 * Counts a guess and returns the changed counts, or returns the milliseconds to wait. The guess is counted before its outcome
 * is known, so restarts, several servers and concurrent guesses allow no additional ones. If the account does not know a site,
 * the wait of the site starts with its first rejected guess. Further guesses do not extend the wait.
 */
export async function countGuess(
  db: Db,
  guess: Guess,
  known: boolean,
  now: number,
): Promise<Counted | number> {
  let result: Counted | number = 0
  await changeCounts(db, guess, now, (counts) => {
    const { ofNetwork, ofAccount } = waits(now, guess, counts, known)
    result = Math.max(ofNetwork, ofAccount)
    if (result) return counts
    const [network, account, site] = counts
    const isFirst = site.count === 0 || site.last_at < network.since
    const inNetwork = isFirst && networksOf(guess).length > 0
    result = { known, inNetwork }
    return [
      inNetwork ? increment(network, now) : network,
      known ? account : increment(account, now),
      increment(site, now),
    ]
  })
  return result
}

/** Reverts the counts of a correct guess. Locks the account's row until the transaction ends. */
export async function revertGuess(db: Db, guess: Guess, { known, inNetwork }: Counted, now: number) {
  const counted = inNetwork ? guess : { ...guess, withoutNetwork: true }
  await changeCounts(db, counted, now, ([network, account, site]) => [
    decrement(network),
    known ? account : decrement(account),
    decrement(site),
  ])
}

/** Records that the owner has logged in from this site, so that guesses from other sites do not delay the owner here. */
export async function rememberSite(db: Db, place: Place, now: number) {
  const { account } = place
  const subject = knownSiteOf(place)
  const [{ count, since }] = await readCounts(db, account, [subject], now)
  if (count > 0 && since > now - renewedEvery) return
  const isNew = count === 0
  if (isNew && (await countAttempt(db, account, { policy: knownSites, of: '' }, now))) return
  await setCounts(db, account, [subject], [{ count: 1, since: now, last_at: now }])
}
