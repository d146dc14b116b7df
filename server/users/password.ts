import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { unavailable } from '../errors.ts'

/** For argon2id, the library's default algorithm: the least that OWASP's Password Storage Cheat Sheet asks for. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const most = { atATime: 4, waiting: 50 }
const limit = pLimit(most.atATime)

/** Hashing is the dearest thing a stranger can ask for, so only so much of it is taken on. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= most.waiting) {
    throw unavailable('Too many people are signing in at this moment. Try again in a few seconds.', 2)
  }
  return limit(work)
}

export const hashPassword = (password: string) => inTurn(() => hash(password, parameters))

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
