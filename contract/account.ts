import type { XStatic } from 'typebox/schema'
import type { Calls } from './calls.ts'
import { Id, Instant } from './fields.ts'

const Session = {
  type: 'object',
  required: ['id', 'name', 'createdAt', 'lastUsedAt', 'current'],
  properties: {
    id: Id,
    name: {
      type: 'string',
      description:
        'The browser and system in words, such as `Firefox on Linux`, or the name of another program; empty if it is not known',
    },
    createdAt: Instant,
    lastUsedAt: { ...Instant, description: 'When it was last used, to the hour' },
    current: { type: 'boolean', description: 'Whether it is the session of this call' },
  },
} as const

/** Who is signed in, and where. */
const Account = {
  type: 'object',
  required: ['name', 'email', 'sessions'],
  properties: {
    name: { type: 'string' },
    email: { type: 'string' },
    sessions: { type: 'array', items: Session, description: 'The last used first' },
  },
} as const
export type Account = XStatic<typeof Account>

const Found = { type: 'object', required: ['account'], properties: { account: Account } } as const
const ById = { type: 'object', required: ['id'], properties: { id: Id } } as const
const Done = { type: 'object', properties: {} } as const

export const accountEndpoints = {
  'GET /account': { access: 'account', response: Found },
  'DELETE /account/sessions/:id': {
    access: 'account',
    params: ById,
    response: Done,
    problems: ['no-such-session'],
  },
  /** Ends all sessions but the one of the call, and links to choose a password. */
  'DELETE /account/sessions': { access: 'account', response: Done },
} satisfies Calls
