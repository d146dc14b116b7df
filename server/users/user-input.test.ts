import { expect, test } from 'vitest'
import { fieldErrorOf } from '../testing/field-error.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

const good = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
const text = 'must not contain U+0000 or an unpaired surrogate'
const name = 'must not contain a control character, such as a line feed, or an unpaired surrogate'
const address = 'must be an email address, such as name@example.org'

type Case = [what: string, body: unknown, field: string, message: string]

const wrongTypes = (field: keyof typeof good): Case[] =>
  [null, 1, true, ['x'], { a: 1 }].map((value): Case => {
    return [`${JSON.stringify(value)} as ${field}`, { ...good, [field]: value }, field, 'must be a string']
  })

const badEmails = [
  ...['', ' ', 'ada', '@', 'ada@', '@example.org', 'a da@example.org', 'ada@exam ple.org', 'a@b@c'],
]

/** Rejected by both registration and login. */
const badCredentials: Case[] = [
  ['no email', { ...good, email: undefined }, 'email', 'is missing'],
  ...wrongTypes('email'),
  ...badEmails.map((email): Case => [`"${email}" as email`, { ...good, email }, 'email', address]),
  ['U+0000 in the email', { ...good, email: 'a\0@example.org' }, 'email', address],
  ['an unpaired surrogate in the email', { ...good, email: '\ud800@example.org' }, 'email', address],
  [
    'an email of 255 characters',
    { ...good, email: good.email.padStart(255, 'x') },
    'email',
    'must have at most 254 characters',
  ],
  ['no password', { ...good, password: undefined }, 'password', 'is missing'],
  ...wrongTypes('password'),
  [
    'a password of 257 characters',
    { ...good, password: 'x'.repeat(257) },
    'password',
    'must have at most 256 characters',
  ],
  ['U+0000 in the password', { ...good, password: '12345678\0' }, 'password', text],
  ['an unpaired surrogate in the password', { ...good, password: '12345678\udc00' }, 'password', text],
  ['an array', [good], 'request body', 'must be a JSON object'],
  ['nothing', '', 'request body', 'must be a JSON object'],
  ['{', '{', 'request body', 'must be valid JSON'],
]

/** Rejected by registration only. */
const badRegistrations: Case[] = [
  ['no name', { ...good, name: undefined }, 'name', 'is missing'],
  ...wrongTypes('name'),
  ['an empty name', { ...good, name: '' }, 'name', 'must not be empty'],
  ['a blank name', { ...good, name: ' \t\u3000' }, 'name', 'must not be blank'],
  [
    'a name of 101 characters',
    { ...good, name: '😀'.repeat(101) },
    'name',
    'must have at most 100 characters',
  ],
  ...['A\0da', 'Ada\nRoot', '\u001b[31mAda', 'Ada\u2028', 'Ada\ud83d'].map(
    (wrong): Case => [`the name ${JSON.stringify(wrong)}`, { ...good, name: wrong }, 'name', name],
  ),
  [
    'a password of 7 characters',
    { ...good, password: '😀'.repeat(7) },
    'password',
    'must have at least 8 characters',
  ],
  ['an empty password', { ...good, password: '' }, 'password', 'must have at least 8 characters'],
]

onEveryServer('invalid input to registering and logging in', ({ server }) => {
  async function expectRejected(endpoint: string, body: unknown, expected: unknown[]) {
    const before = await allRows(server.database)
    expect(fieldErrorOf(await server.call(endpoint, { body }))).toEqual(expected)
    expect(await allRows(server.database)).toEqual(before)
  }

  test.each([...badCredentials, ...badRegistrations])(
    'registering with %s is rejected with a 400 that names the field and the reason',
    (_, body, ...why) => expectRejected('POST /user/register', body, [400, ...why]),
  )

  test.each(badCredentials)(
    'logging in with %s is rejected with a 400 that names the field and the reason',
    (_, body, ...why) => expectRejected('POST /user/login', body, [400, ...why]),
  )

  test.each(['POST /user/register', 'POST /user/login'])(
    '%s rejects more than 16 KiB with a 413',
    (endpoint) =>
      expectRejected(endpoint, { ...good, more: 'x'.repeat(16_384) }, [
        413,
        'request body',
        'is larger than this call accepts',
      ]),
  )

  test.each(['POST /user/register', 'POST /user/login'])(
    '%s rejects plain text with a 415',
    async (endpoint) => {
      const before = await allRows(server.database)
      const answer = await server.call(endpoint, { body: good, headers: { 'content-type': 'text/plain' } })
      const message = 'must be JSON, sent with Content-Type: application/json'
      expect(fieldErrorOf(answer)).toEqual([415, 'request body', message])
      expect(await allRows(server.database)).toEqual(before)
    },
  )

  test('login answers a short password like a wrong one, not like invalid input', async () => {
    const { status } = await server.call('POST /user/login', { body: { ...good, password: 'x' } })
    expect(status).toBe(401)
  })
})
