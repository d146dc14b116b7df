import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { fieldError, HttpError } from '../errors.ts'
import { isLoopback, networkOf } from '../fairness/network.ts'
import { anyUserExists } from '../sessions/account-state.ts'
import { countAttempt } from './attempts.ts'
import { orWithout } from './optional-counts.ts'
import { signups } from './policies.ts'
import { insertUser, type NewUser } from './user-queries.ts'

/** Has no limit. Counting it locks its row until the transaction ends, which serializes registrations on all servers. */
const turn = { policy: { name: 'first user', max: Number.POSITIVE_INFINITY, window: 1 }, of: '' }

/** Inserts the user and returns the id, or throws a 403 or 409. The same transaction starts the user's session. */
export async function register(
  db: Db,
  user: NewUser,
  { registration }: Config,
  now: number,
): Promise<string> {
  if (registration === 'first-user') {
    await countAttempt(db, undefined, turn, now)
    if (await anyUserExists(db)) throw new HttpError('signup-closed')
  }
  const userId = await insertUser(db, user, now)
  if (!userId) throw emailTaken()
  return userId
}

export type Origin = { address: string; hostname: string }

/** Rejects a registration that is not allowed or too frequent, before the password is hashed. */
export async function admit(
  database: Database,
  { address, hostname }: Origin,
  config: Config,
  log: FastifyBaseLogger,
  now: number,
) {
  const { registration, signupRate } = config
  if (registration === 'closed') throw new HttpError('signup-closed')
  if (registration === 'first-user') {
    if (await anyUserExists(database.read)) throw new HttpError('signup-closed')
    if (isReachedLocally(config) && !isLoopback(hostname)) throw new HttpError('first-user-elsewhere')
  }
  const subject = { policy: signups(signupRate), of: networkOf(address) }
  const count = () => database.write((db) => countAttempt(db, undefined, subject, now), subject.of)
  const wait = await orWithout(database, log, count, async () => 0)
  if (wait) throw new HttpError('too-many-attempts', { seconds: Math.ceil(wait / 1000) })
}

/**
 * Whether the configuration makes the server reachable only from this machine. With DNS rebinding, a page of any site can resolve its
 * own host name to this machine and call the server from its own origin. That is impossible with the names of the loopback interface.
 */
const isReachedLocally = ({ host, trustedProxies }: Config) => isLoopback(host) && trustedProxies.length === 0

const emailTaken = () =>
  new HttpError(
    'email-taken',
    {},
    { errors: [fieldError('email', 'taken', 'already has an account; log in instead')] },
  )
