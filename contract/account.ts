import type { XStatic } from 'typebox/schema'
import { ById, type Calls, Done } from './calls.ts'
import { Id, Instant, objectOf } from './fields.ts'

const Session = objectOf({
  id: Id,
  name: {
    type: 'string',
    description:
      'The browser and system in words, such as `Firefox on Linux`, or the name of another program; empty if it is not known',
  },
  createdAt: Instant,
  lastUsedAt: { ...Instant, description: 'When it was last used, to the hour' },
  current: { type: 'boolean', description: 'Whether it is the session of this call' },
})

const Account = objectOf({
  name: { type: 'string' },
  email: { type: 'string' },
  sessions: { type: 'array', items: Session, description: 'The last used first' },
})
export type Account = XStatic<typeof Account>

const Found = objectOf({ account: Account })

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
