import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../errors.ts'
import { createGate } from '../fairness/gate.ts'
import { networkOf, siteOf } from '../fairness/network.ts'

/** The minimum of OWASP's Password Storage Cheat Sheet for argon2id, the library's default algorithm. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const { inTurn: byGroups } = createGate({ running: 4, waiting: 200 }, () => unavailable('too-many-logins', 2))

/** Hashing is the most expensive operation that is available without a token, so addresses take turns. */
export const inTurn = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  byGroups([`site ${siteOf(address)}`, `network ${networkOf(address)}`], work)

/** Keyboards type the same letters in several forms of Unicode. */
export const normalizePassword = (password: string) => password.normalize('NFC')

const hashOf = (password: string) => hash(normalizePassword(password), parameters)

export const hashPassword = (password: string, address: string) => inTurn(address, () => hashOf(password))

/** Verified in place of the hash of an unknown account, so that both take the same time. */
const placeholder = await hash('placeholder', parameters)

/**
 * If the password matches the stored hash, returns the hash to store from now on. This is the stored hash, or a new one if the
 * stored hash is of the password as it was typed, as in 0.1.0. If the password does not match, or if there is no hash, returns
 * undefined after the same time. Must be called inside `inTurn`.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<string | undefined> {
  const normalized = normalizePassword(password)
  if (await verify(stored ?? placeholder, normalized)) return stored
  if (normalized === password || !(await verify(stored ?? placeholder, password))) return undefined
  return stored && (await hashOf(password))
}
