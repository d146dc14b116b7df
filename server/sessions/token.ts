import { hash, randomBytes } from 'node:crypto'
import { uuidOf } from '#contract/fields.ts'

const idBytes = 16
const secretBytes = 32

export type SessionKey = { userId: string; tokenHash: string }

/**
 * Returns the user's id and 32 random bytes in base64url: an opaque token that cannot be guessed. The id leads to the
 * user's shard without a search.
 */
export function newToken(userId: string): string {
  const id = Buffer.from(userId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, randomBytes(secretBytes)]).toString('base64url')
}

/** The stored form of a token: a copy of the database contains no usable tokens. */
export const hashOf = (token: string) => hash('sha256', token)

/** What a credential is called where its hash would be too much: as the author of a change, and for its user, who ends it. */
export const idOf = (tokenHash: string) => tokenHash.slice(0, 32)

/** Returns undefined for a text that is not a token. */
export function sessionKeyOf(token: string): SessionKey | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== idBytes + secretBytes) return
  return { userId: uuidOf(bytes.toString('hex', 0, idBytes)), tokenHash: hashOf(token) }
}
