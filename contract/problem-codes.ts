import type { XStatic } from 'typebox/schema'

type Params = { [name: string]: { examples: readonly unknown[] } }
type Values<P extends Params> = { [Name in keyof P]: XStatic<P[Name]> }

/** One code: its status, its parameters with an example of each, and its message. */
const code = <Status extends number, const P extends Params>(
  status: Status,
  params: P,
  message: (values: Values<P>) => string,
) => ({ status, params, message })

/** A code whose message is always the same. */
const plain = <Status extends number>(status: Status, message: string) => code(status, {}, () => message)

const count = (example: number) => ({ type: 'integer', examples: [example] }) as const
const text = (example: string) => ({ type: 'string', examples: [example] }) as const

/** A code with a Retry-After header of as many seconds. */
const retry = <Status extends 429 | 503>(status: Status, message: (values: { seconds: number }) => string) =>
  code(status, { seconds: count(2) }, message)
const passing = (message: string) => retry(503, () => message)

/** What became of the change that could not be confirmed; null without a change. */
const outcome = { enum: ['unchanged', 'unknown', null], examples: ['unchanged'] } as const

const outcomes = {
  unchanged: ' Nothing was changed.',
  unknown: ' The change may or may not be stored: check before you send it again.',
}
const faulty = (what: string) =>
  code(
    503,
    { seconds: count(60), outcome },
    (values) => what + (values.outcome ? outcomes[values.outcome] : ''),
  )

/** Clients know the codes: each keeps its meaning. A message is made of the parameters alone, so that others can word the same. */
export const problemCodes = {
  // The request.
  'invalid-fields': plain(400, 'The request is not valid.'),
  'invalid-url': plain(
    400,
    'The URL of this request is invalid: it is too long, or its percent-encoding is malformed.',
  ),
  'invalid-request': plain(400, 'The request is not valid.'),
  'malformed-http': plain(400, 'This is not a valid HTTP request.'),
  'no-such-path': code(
    404,
    { method: text('GET'), path: text('/api/v1/task') },
    ({ method, path }) => `There is no ${method} ${path} here.`,
  ),
  'method-not-allowed': code(
    405,
    { method: text('PATCH'), allowed: text('GET, HEAD') },
    ({ method, allowed }) => `This path does not accept ${method}, but ${allowed}.`,
  ),
  'request-timeout': plain(408, 'The request took too long to arrive.'),
  'page-outdated': plain(412, 'Daymark has been updated. Reload the page. Nothing was changed.'),
  'body-too-large': plain(413, 'The request body is larger than this call accepts.'),
  'chunk-extensions-too-large': plain(413, 'The chunk extensions of the request are too large.'),
  'not-json': plain(415, 'The request body must be JSON, sent with Content-Type: application/json.'),
  'unsupported-expectation': plain(417, 'The only supported expectation is 100-continue.'),
  'wrong-host': code(
    421,
    { host: text('example.org') },
    ({ host }) => `This server does not accept requests ${host ? `for the host ${host}` : 'without a host'}.`,
  ),
  'headers-too-large': plain(431, 'The headers of the request are too large.'),
  'connect-unsupported': plain(501, 'CONNECT is for proxies. This server is not a proxy.'),

  // The caller.
  'token-missing': plain(401, 'Log in first: this call needs a token.'),
  'token-invalid': plain(401, 'This token is not valid, or no longer. Log in again.'),
  'account-gone': plain(401, 'This account no longer exists.'),
  'wrong-credentials': plain(401, 'Email or password is wrong.'),
  'account-disabled': plain(403, 'This account is disabled. Ask whoever runs this server to enable it.'),
  'scope-too-narrow': plain(403, 'The scope of this token does not allow this call.'),
  'signup-closed': plain(403, 'This server takes no new accounts.'),
  'first-user-elsewhere': plain(
    403,
    'The first user of this server must sign up at http://localhost, http://127.0.0.1 or http://[::1]. ' +
      'Open one of these addresses with its port, or set TRUSTED_PROXIES if the server is behind a proxy.',
  ),
  'link-over': plain(410, 'This link was used before, or is older than 24 hours. Ask for another one.'),
  'export-address-over': plain(
    410,
    'This address was used before, or is older than a minute. Start the export again.',
  ),
  'reminder-over': plain(
    410,
    'This reminder is older than 48 hours, or its device gets no reminders any more.',
  ),
  'email-taken': plain(409, 'An account with this email already exists.'),
  'too-many-attempts': retry(
    429,
    ({ seconds }) => `Too many attempts. Wait ${durationOf(seconds)} before the next one.`,
  ),

  // The data of the caller.
  'no-such-task': plain(404, 'You have no task with this id.'),
  'no-such-note': plain(404, 'You have no note with this id.'),
  'no-such-version': plain(404, 'Your note has no version with this number, or you have no such note.'),
  'no-such-session': plain(404, 'You have no session with this id, or it has ended.'),
  'no-such-token': plain(404, 'You have no token with this id, or it has ended.'),
  'no-such-subscription': plain(404, 'You have no subscription with this id, or it has ended.'),
  'no-such-export': plain(404, 'You have no export with this id, or it has ended.'),
  'no-such-change': plain(404, 'Your log has no change with this number that can be undone.'),
  'changed-elsewhere': plain(409, 'This task was changed elsewhere.'),
  'addition-purged': plain(409, 'This task was added before, and has been deleted for good since.'),
  'too-many-items': code(
    409,
    { items: text('tasks'), max: count(100_000) },
    ({ items, max }) =>
      `You have ${inDigits(max)} ${items}, as many as one account keeps. Delete some first.`,
  ),
  'too-many-tokens': code(
    409,
    { max: count(50) },
    ({ max }) => `You have ${inDigits(max)} tokens, as many as one account has. Revoke one first.`,
  ),
  'over-quota': code(
    409,
    {
      stored: count(1_073_741_000),
      added: count(100_500),
      max: count(1_073_741_824),
      until: { type: ['string', 'null'], examples: ['2026-12-21'] },
    },
    ({ stored, added, max, until }) =>
      `Your tasks, notes and changes take up ${inDigits(stored)} bytes and this would add ${inDigits(added)}; one account stores ` +
      `at most ${inDigits(max)}. To make room now, delete something for good. Changes, what is deleted and old texts of ` +
      `tasks count for 30 days${until === null ? '' : `, the oldest of them until ${until}`}; old texts of notes count too.`,
  ),
  'changed-since': plain(
    409,
    'The fields of this change were changed again later. Nothing was undone: undo the later change first.',
  ),
  'text-not-kept': plain(
    409,
    'The text before this change was not kept as a version of its own. Restore a version from the history.',
  ),
  'group-too-long': code(
    409,
    { max: count(2000) },
    ({ max }) => `This group has more than ${max} changes, too many to be undone together.`,
  ),
  'group-too-large': plain(
    409,
    'The items of this group are too large to be undone together. Undo its changes one by one.',
  ),

  // The server.
  unexpected: plain(500, 'An unexpected error occurred on the server. The request itself may be valid.'),
  'going-away': plain(502, 'The server is stopping.'),
  stopping: passing('The server is stopping.'),
  'stream-stopping': passing('The server is stopping. Try again in a moment.'),
  'client-gone': passing('The client has disconnected.'),
  overloaded: passing('The server is overloaded. Try again in a moment.'),
  stuck: passing('No request has been answered for a minute.'),
  'too-many-logins': passing('Too many logins are in progress. Try again in a few seconds.'),
  'too-many-searches': passing('Too many searches are in progress. Try again in a few seconds.'),
  'too-many-exports': passing('Too many exports are in progress. Try again in a few minutes.'),
  'too-many-streams': passing('Too many streams are open. Try again in a minute.'),
  'too-many-uploads': passing('The server has too many unfinished requests. Try again in a moment.'),
  'too-many-writes': passing('Too many changes are waiting. Try again in a moment.'),
  'database-unreachable': passing('The database cannot be reached at this moment.'),
  'database-partly-unreachable': passing(
    'A part of the database cannot be reached at this moment. Nothing was changed.',
  ),
  'database-silent': passing('The database does not answer.'),
  'database-of-other-version': passing('The schema of the database is not one of this version.'),
  'database-read-only': passing('The database accepts no changes at this moment. Nothing was changed.'),
  'database-too-busy': passing('The database is too busy at this moment. Nothing was changed.'),
  'database-busy': passing('The database is busy. Try again in a moment.'),
  'database-inaccessible': passing('The database file cannot be read or written at this moment.'),
  'database-corrupt': passing('The database file is damaged. The operator must restore it.'),
  'database-damaged': faulty(
    'The database file is damaged. Nothing can be stored until the operator has restored it.',
  ),
  'database-lost': faulty(
    'The database file was moved, removed or replaced. Nothing can be stored until the operator has restored it.',
  ),
  'outcome-unknown': passing(
    'The database connection was lost during the change. It may or may not be stored: check before you send it again.',
  ),
  'no-space-left': passing('The server has no storage space left.'),
  'storage-full': plain(507, 'The server has no storage space left. Nothing was changed.'),
}

export type ProblemCode = keyof typeof problemCodes

export type ParamsOf<Code extends ProblemCode> = Parameters<(typeof problemCodes)[Code]['message']>[0]

/** The codes with the parameter `seconds` alone, which is sent as Retry-After. */
export type RetryCode = {
  [Code in ProblemCode]: { seconds: number } extends ParamsOf<Code>
    ? 'seconds' extends keyof ParamsOf<Code>
      ? Code
      : never
    : never
}[ProblemCode]

const inDigits = (value: number) => value.toLocaleString('en')

const durationOf = (seconds: number) =>
  seconds < 90 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`
