import type { Db } from '../database/schema.ts'
import { networkOf, siteOf } from '../fairness/network.ts'
import {
  type Count,
  changeCounts,
  countAttempt,
  decrement,
  increment,
  readCounts,
  setCounts,
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

/** The account whose password is guessed, and the client's address. The account is an email or a user id, and may not exist. */
type Place = { account: string; address: string }

export type Guess = Place & {
  /** Whether the client has a session. These guesses have separate counts, so they cannot lock the owner out. */
  signedIn: boolean
  /** Whether the address is in OFFICE_NETWORKS. */
  isOffice: boolean
}

const networkPolicy = ({ isOffice }: Guess) => (isOffice ? fromOffice : fromNetwork)

/** The subjects of a guess, in the order in which their rows are locked. */
const subjectsOf = (guess: Guess) => {
  const { account, address, signedIn } = guess
  return [
    {
      policy: networkPolicy(guess),
      of: signedIn ? `${networkOf(address)} ${account}` : networkOf(address),
    },
    { policy: toAccount, of: account },
    { policy: fromSite, of: siteAndAccount({ account, address }) },
  ] as const
}

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
  const subjects = [...subjectsOf(guess), knownSiteOf(guess)] as const
  const [network, account, site, signedIn] = await readCounts(db, subjects, now)
  const known = signedIn.count > 0
  const { ofNetwork, ofAccount } = waits(now, guess, [network, account, site], known)
  return { known, ofNetwork, ofAccount, isNoted: ofNetwork > 0 || site.last_at < now }
}

/** The counts to which a guess was added: an account from a known site is not counted, and a network counts an account once. */
export type Counted = { known: boolean; isFirst: boolean }

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
  await changeCounts(db, subjectsOf(guess), now, (counts) => {
    const { ofNetwork, ofAccount } = waits(now, guess, counts, known)
    result = Math.max(ofNetwork, ofAccount)
    if (result) return counts
    const [network, account, site] = counts
    const isFirst = site.count === 0 || site.last_at < network.since
    result = { known, isFirst }
    return [
      isFirst ? increment(network, now) : network,
      known ? account : increment(account, now),
      increment(site, now),
    ]
  })
  return result
}

/** Reverts the counts of a correct guess. Locks the account's row until the transaction ends. */
export async function revertGuess(db: Db, guess: Guess, { known, isFirst }: Counted, now: number) {
  await changeCounts(db, subjectsOf(guess), now, ([network, account, site]) => [
    isFirst ? decrement(network) : network,
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
  await setCounts(db, [subject], [{ count: 1, since: now, last_at: now }])
}
