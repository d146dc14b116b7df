import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import { ById, type Calls, Done } from './calls.ts'
import { Id, Instant, InstantOrNull, objectOf } from './fields.ts'
import { tokenNameLength } from './limits.ts'

const Name = {
  type: 'string',
  format: 'name',
  pattern: visible,
  minLength: tokenNameLength.min,
  maxLength: tokenNameLength.max,
  description: 'The author of the changes that are made with it, as the history has it',
} as const

const Scope = {
  enum: ['read', 'add', 'write', 'feed'],
  description:
    'read: the calls with the access `read`; add: `POST /list/addTask` alone, whose response to it has no task; write: the calls with the access `read`, `write` or `add`; feed: the calendar `/feed/{token}.ics` alone, which has the titles of tasks with a date',
} as const

const TokenValues = {
  ...objectOf(
    { name: Name, scope: Scope },
    { expiresAt: { ...InstantOrNull, description: 'When it ends; null or absent: when it is revoked' } },
  ),
  examples: [{ name: 'Laptop script', scope: 'add' }],
} as const
export type TokenValues = XStatic<typeof TokenValues>

const Made = objectOf({
  id: Id,
  token: { type: 'string', description: 'Only this response has it: the server stores its hash alone' },
})

const Token = objectOf({
  id: Id,
  name: Name,
  scope: Scope,
  createdAt: Instant,
  lastUsedAt: { ...InstantOrNull, description: 'When it was last used, to the hour; null: never' },
  expiresAt: InstantOrNull,
})
export type Token = XStatic<typeof Token>

const Found = objectOf({ tokens: { type: 'array', items: Token, description: 'The newest first' } })

/** Tokens that other programs use. A token does not make, list or revoke tokens. */
export const tokenEndpoints = {
  'POST /tokens': {
    access: 'account',
    body: TokenValues,
    response: Made,
    problems: ['too-many-tokens'],
    fieldCodes: ['out-of-range'],
  },
  'GET /tokens': { access: 'account', response: Found },
  'DELETE /tokens/:id': { access: 'account', params: ById, response: Done, problems: ['no-such-token'] },
} satisfies Calls
