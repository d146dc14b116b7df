import type { Db } from '../database/schema.ts'
import { lockUser } from '../sessions/account-state.ts'
import { resetScope as scope } from '../sessions/scopes.ts'
import { endCredentials, endCredentialsOf, startCredential } from '../sessions/session-queries.ts'
import type { SessionKey } from '../sessions/token.ts'
import { setPasswordHash } from './user-queries.ts'

/** How long a link is valid, in milliseconds. */
const life = 24 * 3_600_000

/** Returns the token of a new link, with which the user chooses a password once. The user's earlier links end. */
export async function startReset(db: Db, userId: string, now: number): Promise<string> {
  await lockUser(db, userId)
  await endCredentialsOf(db, userId, scope)
  return await startCredential(db, userId, { scope, expires_at: now + life }, now)
}

export async function isResetOpen(db: Db, { userId, tokenHash }: SessionKey, now: number): Promise<boolean> {
  const reset = db.selectFrom('credentials').select('scope').where('user_id', '=', userId)
  const valid = reset
    .where('token_hash', '=', tokenHash)
    .where('scope', '=', scope)
    .where('expires_at', '>', now)
  return (await valid.executeTakeFirst()) !== undefined
}

/** Stores the password and ends all sessions and links of the user. Returns false if the link cannot be used, or no longer. */
export async function finishReset(
  db: Db,
  key: SessionKey,
  { passwordHash, now }: { passwordHash: string; now: number },
) {
  if (!(await lockUser(db, key.userId)) || !(await isResetOpen(db, key, now))) return false
  await setPasswordHash(db, key.userId, passwordHash)
  await endCredentials(db, key.userId)
  return true
}
