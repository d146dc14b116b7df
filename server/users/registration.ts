import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { conflict, forbidden, tooManyRequests } from '../errors.ts'
import { networkOf } from '../http/network.ts'
import { countAttempt } from '../throttling/attempts.ts'
import { signups } from '../throttling/policies.ts'
import { anyUserExists, insertUser, type NewUser } from './user-queries.ts'

/** Never refused: who counts it holds its row until the transaction ends, so that two servers take turns. */
const turn = { policy: { name: 'first user', max: Number.POSITIVE_INFINITY, window: 1 }, of: '' }

/** The new user's id, if the server takes this one on. Belongs to the transaction that also starts their session. */
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

/** Where a registration comes from, and the name it was sent to: the `Host` header without its port. */
export type Origin = { address: string; hostname: string }

/** Before any password is hashed for them: whether strangers may sign up at all, and how often from one address. */
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
  if (!signupRate) return
  const subject = { policy: signups(signupRate), of: networkOf(address) }
  const wait = await write((db) => countAttempt(db, subject, now))
  if (wait) throw tooManyRequests(Math.ceil(wait / 1000))
}

/** Whether only browsers on this machine reach the server, as far as its configuration says. */
const isReachedLocally = ({ host, trustedProxies }: Config) => isLoopback(host) && trustedProxies.length === 0

/**
 * A page of any site can make its own name lead to this machine (DNS rebinding), and then call the server as if it were
 * its own. It cannot do so under these names.
 */
function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
}

const firstUserIsLocal = () =>
  forbidden(
    'This server waits for its first user, and takes that one at http://localhost, http://127.0.0.1 or http://[::1] ' +
      'alone. Open it under one of these names with its port, or set TRUSTED_PROXIES if it is behind a proxy.',
  )

const closed = () => forbidden('This server takes no new accounts.')

const emailTaken = () =>
  conflict('An account with this email already exists.', [
    { field: 'email', message: 'already has an account; log in instead' },
  ])
