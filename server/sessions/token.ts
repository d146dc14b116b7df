import { hash, randomBytes } from 'node:crypto'

const idBytes = 16
const secretBytes = 32

/** The columns by which a session is found. */
export type SessionKey = {
  /** Undefined for a token of the previous version, which does not contain its user's id. */
  userId: string | undefined
  tokenHash: string
}

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

export function sessionKeyOf(token: string): SessionKey {
  const bytes = Buffer.from(token, 'base64url')
  const userId =
    bytes.length === idBytes + secretBytes ? uuidOf(bytes.toString('hex', 0, idBytes)) : undefined
  return { userId, tokenHash: hashOf(token) }
}

const uuidOf = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
