import type { Access } from '#contract/calls.ts'
import type { TokenDraft } from '#contract/tokens.ts'

/** What a token allows that a user has made for another program. It is valid until it expires or is revoked. */
const tokenScopes = {
  read: ['read'],
  add: ['add'],
  write: ['read', 'add', 'write'],
} as const satisfies Record<TokenDraft['scope'], readonly Access[]>

/** The scopes of tokens that users make. */
export const scopesOfTokens = Object.keys(tokenScopes)

/** What the scope of a credential allows its holder. A login begins a `session`. */
const allowed = {
  session: ['read', 'add', 'write', 'account'],
  ...tokenScopes,
  /** A link with which its holder chooses a new password. */
  'reset-password': [],
  /** The address of one export. */
  export: [],
} as const satisfies Record<string, readonly Access[]>

/** A scope of a later version allows nothing. */
export const allows = (scope: string, access: Access) =>
  (allowed as Record<string, readonly Access[]>)[scope]?.includes(access) ?? false
