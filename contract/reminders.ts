import type { XStatic } from 'typebox/schema'
import { ById, type Calls, Done } from './calls.ts'
import { Id, Instant, objectOf } from './fields.ts'

export const reminderActions = ['done', 'in-an-hour', 'tomorrow'] as const
export type ReminderAction = (typeof reminderActions)[number]

/** How long the key of a notification can be used, in milliseconds. */
export const reminderKeyLife = 48 * 3_600_000

const Subscription = objectOf({
  id: Id,
  name: { type: 'string', description: 'The name of its session; empty if it is not known' },
  createdAt: Instant,
  endpoint: { type: 'string' },
  current: { type: 'boolean', description: 'Whether it is the one of the session of this call' },
})

const Missed = objectOf({ item: Id, at: { ...Instant, description: 'When it was to remind' } })

const State = objectOf({
  key: { type: 'string', description: 'The `applicationServerKey` of subscriptions, in base64url' },
  isOn: {
    type: 'boolean',
    description:
      'Whether the server sends reminders. A copy of a database does not until its operator lets it',
  },
  reachesApple: {
    type: 'boolean',
    description: 'Whether the server has a contact, without which Apple refuses its messages',
  },
  subscriptions: { type: 'array', items: Subscription, description: 'The newest first' },
  hasEnded: {
    type: 'boolean',
    description:
      'Whether the push service has ended the subscription of the session of this call, so that its browser needs another one',
  },
  missed: {
    type: 'array',
    items: Missed,
    description:
      'The reminders that were not sent within two hours, because the server was off or a push service refused them',
  },
})
export type Reminders = XStatic<typeof State>

const Found = objectOf({ reminders: State })

/** As `PushSubscription.toJSON()` returns it. */
const NewSubscription = {
  ...objectOf({
    endpoint: {
      type: 'string',
      maxLength: 1000,
      documented: { pattern: '^https://' },
      description: 'An https address of a known push service',
    },
    keys: objectOf({
      p256dh: { type: 'string', maxLength: 100, documented: { pattern: '^B[A-Za-z0-9_-]{86}$' } },
      auth: { type: 'string', maxLength: 50, documented: { pattern: '^[A-Za-z0-9_-]{21}[AQgw]$' } },
    }),
  }),
  examples: [
    {
      endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/abc',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  ],
} as const

/** The page that a notification opens has it in its address. Browsers send it. */
const OriginHeader = { type: 'object', properties: { origin: { type: 'string' } } } as const

const Press = {
  ...objectOf(
    {
      key: {
        type: 'string',
        maxLength: 500,
        description: '`notification.data.key` of the push message: valid for 48 hours, for one occurrence',
      },
      action: { enum: reminderActions },
      mutation: { ...Id, description: 'The client’s id of this press. If it is sent again, nothing changes' },
    },
    { at: { ...Instant, description: 'When the button was pressed, if it is sent later' } },
  ),
  examples: [{ key: 'x', action: 'done', mutation: '01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640' }],
} as const

const Pressed = objectOf({
  applied: {
    type: 'boolean',
    description:
      'False if the task is done or deleted, or is due on another day or at another time than the notification says',
  },
})

export const reminderEndpoints = {
  'GET /reminders': { access: 'account', response: Found },
  /** The subscription of this session, which has at most one. It ends with the session. Browsers may give it other fields. */
  'PUT /reminders/subscription': {
    access: 'account',
    headers: OriginHeader,
    ignoresUnknown: true,
    body: NewSubscription,
    response: Done,
    fieldCodes: ['not-a-push-service', 'not-a-push-key'],
  },
  'DELETE /reminders/subscriptions/:id': {
    access: 'account',
    params: ById,
    response: Done,
    problems: ['no-such-subscription'],
  },
  'DELETE /reminders/missed': { access: 'account', response: Done },
  /** A press on a button of a notification. The key alone allows it. The worker that sends it can be of another build. */
  'POST /reminders/press': {
    access: 'none',
    ignoresUnknown: true,
    body: Press,
    response: Pressed,
    problems: ['reminder-over', 'over-quota', 'too-many-items'],
  },
} satisfies Calls
