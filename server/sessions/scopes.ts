import type { Access } from '#contract/calls.ts'

/** What the scope of a credential allows its holder. A login begins a `session`. */
const allowed = {
  session: ['read', 'write', 'account'],
  /** A link with which its holder chooses a new password. */
  'reset-password': [],
} as const satisfies Record<string, readonly Access[]>

export type Scope = keyof typeof allowed

export const allows = (scope: Scope, access: Access) => (allowed[scope] as readonly Access[]).includes(access)
