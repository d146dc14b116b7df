import type { Access } from '#contract/calls.ts'

/** What the scope of a credential allows its holder. A login begins a `session`. */
const allowed = {
  session: ['read', 'write', 'account'],
  /** A link with which its holder chooses a new password. */
  'reset-password': [],
  /** The address of one export. */
  export: [],
} as const satisfies Record<string, readonly Access[]>

/** A scope of a later version allows nothing. */
export const allows = (scope: string, access: Access) =>
  (allowed as Record<string, readonly Access[]>)[scope]?.includes(access) ?? false
