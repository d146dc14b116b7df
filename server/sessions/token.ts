import { hash, randomBytes } from 'node:crypto'

/** Returns 32 random bytes in base64url: an opaque token that cannot be guessed. */
export const newToken = () => randomBytes(32).toString('base64url')

/** The stored form of a token: a copy of the database contains no usable tokens. */
export const hashOf = (token: string) => hash('sha256', token)
