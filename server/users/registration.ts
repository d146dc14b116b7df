import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { conflict, forbidden, tooManyRequests } from '../errors.ts'
import { countAttempt } from '../fairness/attempts.ts'
import { networkOf } from '../fairness/network.ts'
import { signups } from '../fairness/policies.ts'
import { anyUserExists, insertUser, type NewUser } from './user-queries.ts'

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
    await countAttempt(db, turn, now)
    if (await anyUserExists(db)) throw closed()
  }
  const userId = await insertUser(db, user, now)
  if (!userId) throw emailTaken()
  return userId
}

/** The client's address, and the host name of the request without its port. */
export type Origin = { address: string; hostname: string }

/** Rejects a registration that is not allowed or too frequent, before the password is hashed. */
export async function admit(
  { read, write }: Database,
  { address, hostname }: Origin,
  config: Config,
  now: number,
) {
  const { registration, signupRate } = config
  if (registration === 'closed') throw closed()
  if (registration === 'first-user') {
    if (await anyUserExists(read)) throw closed()
    if (isReachedLocally(config) && !isLoopback(hostname)) throw firstUserIsLocal()
  }
  const subject = { policy: signups(signupRate), of: networkOf(address) }
  const wait = await write((db) => countAttempt(db, subject, now), subject.of)
  if (wait) throw tooManyRequests(Math.ceil(wait / 1000))
}

/** Whether the configuration makes the server reachable only from this machine. */
const isReachedLocally = ({ host, trustedProxies }: Config) => isLoopback(host) && trustedProxies.length === 0

/**
 * With DNS rebinding, a page of any site can resolve its own host name to this machine and call the server from its own
 * origin. That is impossible with these names.
 */
function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
}

const firstUserIsLocal = () =>
  forbidden(
    'The first user of this server must sign up at http://localhost, http://127.0.0.1 or http://[::1]. ' +
      'Open one of these addresses with its port, or set TRUSTED_PROXIES if the server is behind a proxy.',
  )

const closed = () => forbidden('This server takes no new accounts.')

const emailTaken = () =>
  conflict('An account with this email already exists.', [
    { field: 'email', code: 'taken', message: 'already has an account; log in instead' },
  ])
