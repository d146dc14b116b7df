import { uuidOf } from '#contract/fields.ts'
import { tokensPerUser } from '#contract/limits.ts'
import type { TokenValues } from '#contract/tokens.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { lockUser } from '../sessions/account-state.ts'
import { scopesOfTokens } from '../sessions/scopes.ts'
import { endCredential, hasSession, startCredential } from '../sessions/session-queries.ts'
import { idOf, type SessionKey } from '../sessions/token.ts'

/** Returns the key of a new token of the user of this session. Throws a 401 if the session has ended, and a 409 above the limit. */
export async function makeToken(
  db: Db,
  session: SessionKey,
  { name, scope, expiresAt }: { name: string; scope: TokenValues['scope']; expiresAt: number | null },
  now: number,
): Promise<string> {
  // Nothing ends the credentials of the account between the check of the session and the token.
  const { userId } = session
  await lockUser(db, userId)
  if (!(await hasSession(db, session))) throw new HttpError('token-invalid')
  // Otherwise, tokens that expire at once would be any number until the sweep.
  await db
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('scope', 'in', scopesOfTokens)
    .where('expires_at', '<=', now)
    .execute()
  if ((await findTokens(db, userId, now)).length >= tokensPerUser)
    throw new HttpError('too-many-tokens', { max: tokensPerUser })
  return await startCredential(db, userId, { scope, name, expires_at: expiresAt }, now)
}

/** Returns the user's tokens that are valid at `now`, the newest first. */
export const findTokens = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('credentials')
    .select(['token_hash', 'name', 'scope', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('scope', 'in', scopesOfTokens)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute()

export const idOfToken = (tokenHash: string) => uuidOf(idOf(tokenHash))

export async function revokeToken(db: Db, userId: string, id: string, now: number): Promise<boolean> {
  const revoked = (await findTokens(db, userId, now)).find(({ token_hash }) => idOfToken(token_hash) === id)
  if (revoked) await endCredential(db, { userId, tokenHash: revoked.token_hash })
  return revoked !== undefined
}
