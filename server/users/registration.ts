import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { conflict, forbidden, tooManyRequests } from '../errors.ts'
import { countAttempt } from '../throttling/attempts.ts'
import { networkOf, signups } from '../throttling/policies.ts'
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

/** Before any password is hashed for them: whether strangers may sign up at all, and how often from one address. */
export async function admit(
  { read, write }: Database,
  address: string,
  { registration, signupRate }: Config,
  now: number,
) {
  if (registration === 'closed') throw closed()
  if (registration === 'first-user' && (await anyUserExists(read))) throw closed()
  if (!signupRate) return
  const subject = { policy: signups(signupRate), of: networkOf(address) }
  const wait = await write((db) => countAttempt(db, subject, now))
  if (wait) throw tooManyRequests(Math.ceil(wait / 1000))
}

const closed = () => forbidden('This server takes no new accounts.')

const emailTaken = () =>
  conflict('An account with this email already exists.', [
    { field: 'email', message: 'already has an account; log in instead' },
  ])
