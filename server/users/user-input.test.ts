import { expect, test } from 'vitest'
import { fieldErrorOf } from '../testing/field-error.ts'
import { newEmail } from '../testing/many-clients.ts'
import { allRows } from '../testing/rows.ts'
import { setAccount } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'
import { hashPassword } from './password.ts'

const good = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
const text = 'must not contain U+0000 or an unpaired surrogate'
const name = 'must not contain a control character, such as a line feed, or an unpaired surrogate'
const address = 'must be an email address, such as name@example.org'

type Case = [what: string, body: unknown, field: string, message: string]

/** Bodies with each of these values of a field, which have the same error. */
const withEach = (field: string, message: string, ...values: unknown[]): Case[] =>
  values.map((value) => {
    const text = JSON.stringify(value) ?? 'nothing'
    return [`${text.slice(0, 40)} as ${field}`, { ...good, [field]: value }, field, message]
  })
const wrongTypes = [null, 1, true, ['x'], { a: 1 }]
const tooShort = 'must have at least 8 characters'
const tooCommon = 'must be harder to guess: it is one of the 3,000 most common passwords'
const common = ['12345678', 'password', 'PassWord', 'qwertyuiop', '1234567890', 'trustno1', 'Iloveyou']
const most = (count: number) => `must have at most ${count} characters`

/** Rejected by both registration and login. */
const badCredentials: Case[] = [
  ...['email', 'password'].flatMap((field) => [
    ...withEach(field, 'is missing', undefined),
    ...withEach(field, 'must be a string', ...wrongTypes),
  ]),
  ...withEach('email', address, '', ' ', 'ada', '@', 'ada@', '@example.org', 'a da@example.org', 'a@b c.org'),
  ...withEach('email', address, 'a@b@c', 'a\0@example.org', '\ud800@example.org'),
  ...withEach('email', most(254), good.email.padStart(255, 'x')),
  ...withEach('password', most(256), 'x'.repeat(257)),
  ...withEach('password', text, '12345678\0', '12345678\udc00'),
  ['an array', [good], 'request body', 'must be a JSON object'],
  ['nothing', '', 'request body', 'must be a JSON object'],
  ['{', '{', 'request body', 'must be valid JSON'],
]

/** Rejected by registration only. */
const badRegistrations: Case[] = [
  ...withEach('name', 'is missing', undefined),
  ...withEach('name', 'must be a string', ...wrongTypes),
  ...withEach('name', 'must not be empty', ''),
  ...withEach('name', 'must not be blank', ' \t\u3000'),
  ...withEach('name', most(100), '😀'.repeat(101)),
  ...withEach('name', name, 'A\0da', 'Ada\nRoot', '\u001b[31mAda', 'Ada\u2028', 'Ada\ud83d'),
  // The last one has four characters in its normal form.
  ...withEach('password', tooShort, '😀'.repeat(7), '', 'éééé'.normalize('NFD')),
  ...withEach('password', tooCommon, ...common),
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
    '%s rejects more than 16 KiB with a 413, and plain text with a 415',
    async (endpoint) => {
      const large = { ...good, more: 'x'.repeat(16_384) }
      await expectRejected(endpoint, large, [413, 'request body', 'is larger than this call accepts'])
      const answer = await server.call(endpoint, { body: good, headers: { 'content-type': 'text/plain' } })
      const message = 'must be JSON, sent with Content-Type: application/json'
      expect(fieldErrorOf(answer)).toEqual([415, 'request body', message])
    },
  )

  test.each([
    ['seven77', tooShort],
    ['Password1', tooCommon],
  ])('%s as a new password is rejected with its field, and changes nothing', async (newPassword, message) => {
    const { password, call } = await server.newUser()
    const before = await allRows(server.database)
    const body = { currentPassword: password, newPassword }
    const refused = await call('POST /user/changePassword', { body })
    expect(fieldErrorOf(refused)).toEqual([400, 'newPassword', message])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('login answers a short password like a wrong one, and accepts a common one that an account already has', async () => {
    const { id, email } = await server.newUser()
    const login = async (password: string) =>
      (await server.call('POST /user/login', { body: { email, password } })).status
    expect(await login('x')).toBe(401)
    await setAccount(server.database, id, { password_hash: await hashPassword('password', '127.0.0.1') })
    expect(await login('password')).toBe(200)
  })

  test.each(['password of mine', '12345678 and on', 'xkqwertyuiopxk'])(
    'registering with %s is accepted: a common password with additions, or in a sentence',
    async (password) => {
      const body = { ...good, email: newEmail(), password }
      expect((await server.call('POST /user/register', { body })).status).toBe(200)
    },
  )
})
