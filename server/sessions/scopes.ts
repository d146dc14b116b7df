import type { Access } from '#contract/calls.ts'
import type { TokenValues } from '#contract/tokens.ts'

/** What a call of the contract needs, or the calendar, whose address has the token in it. */
export type Allowed = Access | 'feed'

/** What a token allows that a user has made for another program. It is valid until it expires or is revoked. */
const tokenScopes = {
  read: ['read'],
  add: ['add'],
  write: ['read', 'add', 'write'],
  feed: ['feed'],
} as const satisfies Record<TokenValues['scope'], readonly Allowed[]>

export const scopesOfTokens = Object.keys(tokenScopes)

/** The scope of a link whose holder chooses a new password. */
export const resetScope = 'reset-password'

/** What the scope of a credential allows its holder. A login begins a `session`. */
const allowed = {
  session: ['read', 'add', 'write', 'account'],
  ...tokenScopes,
  [resetScope]: [],
  export: [],
} as const satisfies Record<string, readonly Allowed[]>

export const scopesOfCredentials = Object.keys(allowed).filter((scope) => scope !== 'session')

/** A scope of a later version allows nothing. */
export const allows = (scope: string, access: Allowed) =>
  (allowed as Record<string, readonly Allowed[]>)[scope]?.includes(access) ?? false
