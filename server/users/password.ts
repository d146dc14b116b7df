import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../errors.ts'
import { networkOf, siteOf } from '../http/network.ts'
import { createFairQueue } from '../throttling/fair-queue.ts'

/** For argon2id, the library's default algorithm: the least that OWASP's Password Storage Cheat Sheet asks for. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const queue = createFairQueue({ running: 4, waiting: 200 }, () =>
  unavailable('Too many people are signing in at this moment. Try again in a few seconds.', 2),
)

/** Hashing costs more than anything else that a call without a token can ask for, so addresses take turns at it. */
export const inTurn = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  queue([`site ${siteOf(address)}`, `network ${networkOf(address)}`], work)

/** `address`: where the request comes from. */
export const hashPassword = (password: string, address: string) =>
  inTurn(address, () => hash(password, parameters))

/** What an account that does not exist would have stored: checking against it takes as long as a real check. */
const nobody = await hash('nobody', parameters)

/**
 * Whether the password is the one that was hashed; without a stored hash the same time is spent and the answer is no.
 * Belongs inside `inTurn`.
 */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const matches = await verify(stored ?? nobody, password)
  return matches && stored !== undefined
}
