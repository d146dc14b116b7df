import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import type { Calls } from './calls.ts'
import { Id, Instant, InstantOrNull } from './fields.ts'
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
  type: 'object',
  required: ['name', 'scope'],
  properties: {
    name: Name,
    scope: Scope,
    expiresAt: { ...InstantOrNull, description: 'When it ends; null or absent: when it is revoked' },
  },
  examples: [{ name: 'Laptop script', scope: 'add' }],
} as const
export type TokenValues = XStatic<typeof TokenValues>

const Made = {
  type: 'object',
  required: ['id', 'token'],
  properties: {
    id: Id,
    token: { type: 'string', description: 'Only this response has it: the server stores its hash alone' },
  },
} as const

const Token = {
  type: 'object',
  required: ['id', 'name', 'scope', 'createdAt', 'lastUsedAt', 'expiresAt'],
  properties: {
    id: Id,
    name: Name,
    scope: Scope,
    createdAt: Instant,
    lastUsedAt: { ...InstantOrNull, description: 'When it was last used, to the hour; null: never' },
    expiresAt: InstantOrNull,
  },
} as const
export type Token = XStatic<typeof Token>

const Found = {
  type: 'object',
  required: ['tokens'],
  properties: { tokens: { type: 'array', items: Token, description: 'The newest first' } },
} as const
const ById = { type: 'object', required: ['id'], properties: { id: Id } } as const
const Done = { type: 'object', properties: {} } as const

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
