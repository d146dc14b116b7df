import { hash, randomBytes } from 'node:crypto'

/** 32 random bytes, base64url: nothing to read in it, and nothing to guess. */
export const newToken = () => randomBytes(32).toString('base64url')

/** What is stored of a token: who reads the database cannot sign in with what is there. */
export const hashOf = (token: string) => hash('sha256', token)
