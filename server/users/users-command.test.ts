import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { reminderEndpoints } from '#contract/reminders.ts'
import { subscribe } from '../reminders/subscriptions.ts'
import { type SessionKey, sessionKeyOf } from '../sessions/token.ts'
import { migratedDatabase } from '../testing/engines.ts'
import { openStream } from '../testing/open-stream.ts'
import { listen } from '../testing/raw-client.ts'
import { allRows } from '../testing/rows.ts'
import { expectRefused, runProgram } from '../testing/run-program.ts'
import { execute, setAccount } from '../testing/stored-rows.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

const day = 24 * 3_600_000

onEveryServer('the command users, while a server runs,', ({ server, user }) => {
  beforeAll(() => listen(server.app))

  const users = (args: string[], more: Record<string, string> = {}) =>
    runProgram('users/users-command.ts', args, { DATABASE_URL: server.url.href, PORT: '4000', ...more })
  async function done(...args: string[]) {
    const { code, stdout, stderr } = await users(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const logIn = ({ email, password }: Pick<TestUser, 'email' | 'password'>) =>
    server.call('POST /user/login', { body: { email, password } })
  const choose = (link: string, newPassword: string) =>
    server.call('POST /user/resetPassword', { body: { token: link.split('#')[1]?.trim(), newPassword } })

  test('lists accounts and shows one, by its email or the id of the log, with its sessions', async () => {
    await user.addTask()
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0' }
    await server.call('POST /user/login', { body: user, headers })
    const listed = new RegExp(`^EMAIL .*\\n(.*\\n)*${user.email}  Ada  .* UTC  enabled\\n`)
    expect(await done('list')).toMatch(listed)
    const shown = await done('show', user.email.toUpperCase())
    expect(shown).toMatch(/^Tasks +1$/m)
    expect(shown).toMatch(/^Session +Firefox on Linux, since .* UTC, last used .* UTC$/m)
    expect(await done('show', /^Id +(.*)$/m.exec(shown)?.[1] ?? '')).toBe(shown)
  })

  test('shows tokens, browsers that get reminders, and how many reminders are to come; and ends one token', async () => {
    await user.setSettings({ zone: 'Europe/Lisbon' })
    await user.addTask({ dueDate: '2190-01-01', dueTime: '09:00', reminders: '10m 1d19:00' })
    const [{ keys }] = reminderEndpoints['PUT /reminders/subscription'].body.examples
    const key = sessionKeyOf(user.token) as SessionKey
    const subscription = { ...keys, endpoint: 'https://push.example.org/a', origin: 'https://x.example' }
    await server.database.write((db) => subscribe(db, key, subscription, Date.now()))
    const [ended, kept] = [await user.newToken('write'), await user.newToken('read')]
    const shown = await done('show', user.email)
    const token = `^Token +${ended.id}, Laptop script, write, since .* UTC, never used$`
    expect(shown).toMatch(new RegExp(token, 'm'))
    expect(shown).toMatch(/^Push +Unknown browser, since .* UTC, by push\.example\.org$/m)
    expect(shown).toMatch(/^Reminders +2 to come$/m)

    expect(await done('end-token', user.email, ended.id)).toMatch(/ has ended\.$/m)
    expect((await server.call('GET /settings', { token: ended.token })).status).toBe(401)
    expect((await server.call('GET /settings', { token: kept.token })).status).toBe(200)
    expectRefused(await users(['end-token', user.email, ended.id]), 'has no token')
  })

  test('prints links that begin with PUBLIC_URL', async () => {
    const { email } = await server.newUser()
    const variables = { PUBLIC_URL: 'https://tasks.example.org', ALLOWED_HOSTS: 'localhost, other.example' }
    const { stdout } = await users(['reset-password', email], variables)
    expect(stdout).toMatch(/^https:\/\/tasks\.example\.org\/reset-password#[\w-]{64}$/m)
  })

  test('prints no control characters of a name', async () => {
    const { id, email } = await server.newUser()
    // Earlier versions have stored such names.
    const name = '\u001b[31mRed\nroot\u202e'
    await setAccount(server.database, id, { name })
    for (const text of [await done('list'), await done('show', email)]) {
      expect(text).toContain('\ufffd[31mRed\ufffdroot\ufffd')
      for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control)
    }
  })

  test('disables an account: its sessions and streams end at once, and only the right password says so; enables it again', async () => {
    const { _id } = await user.addTask()
    const stream = await openStream(server.app, user.token)
    await stream.next()
    await done('disable', user.email)
    expect(await user.isValid()).toBe(false)
    expect(await stream.next()).toBeUndefined()
    const refused = await logIn(user)
    expect([refused.status, refused.json.code]).toEqual([403, 'account-disabled'])
    expect((await logIn({ ...user, password: 'a wrong password' })).status).toBe(401)
    expect(await done('list')).toMatch(new RegExp(`^${user.email} .* disabled$`, 'm'))
    expectRefused(await users(['reset-password', user.email]), 'is disabled')
    await done('enable', user.email)
    const { token } = (await logIn(user)).json
    expect((await server.call(`GET /tasks/${_id}`, { token })).status).toBe(200)
    expect(await user.isValid()).toBe(false)
  })

  test('ends all sessions of an account and of no other', async () => {
    const [user, other] = [await server.newUser(), await server.newUser()]
    await done('end-sessions', user.email)
    expect([await user.isValid(), await other.isValid()]).toEqual([false, true])
    expect((await logIn(user)).status).toBe(200)
  })

  test('prints a link with which a password is chosen once; then all sessions have ended', async () => {
    const text = await done('reset-password', user.email)
    const [link = ''] = /http:\/\/localhost:4000\/reset-password#[\w-]{64}$/m.exec(text) ?? []
    const [token = ''] = link.split('#').slice(1)
    expect(JSON.stringify(await allRows(server.database))).not.toContain(token)
    expect((await server.call('GET /account', { token })).json.code).toBe('scope-too-narrow')
    expect(await user.isValid()).toBe(true)
    const refused = await choose(link, 'password1')
    expect([refused.status, refused.json.errors?.[0]?.code]).toEqual([400, 'too-common'])

    const passwords = ['one long password', 'two long password'] as const
    const answers = await Promise.all(passwords.map((each) => choose(link, each)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
    expect(await user.isValid()).toBe(false)
    expect((await logIn(user)).status).toBe(401)
    const chosen = passwords[answers[0]?.status === 200 ? 0 : 1]
    expect((await logIn({ ...user, password: chosen })).status).toBe(200)
    const again = await choose(link, 'three long password')
    expect([again.status, again.json.code]).toEqual([410, 'link-over'])
  })

  test('prints a link that ends after 24 hours, with another link, with a new password and with a disabled account', async () => {
    const newPassword = 'four long password'
    const ways: Record<string, (user: TestUser) => unknown> = {
      'after 24 hours': () =>
        execute(server.database, sql`update credentials set expires_at = expires_at - ${day}`),
      'with another link': ({ email }) => done('reset-password', email),
      'with a new password': ({ call, password }) =>
        call('POST /user/changePassword', { body: { currentPassword: password, newPassword } }),
      'with a disabled account': ({ email }) => done('disable', email),
    }
    for (const [way, end] of Object.entries(ways)) {
      const user = await server.newUser()
      const link = await done('reset-password', user.email)
      await end(user)
      expect([way, (await choose(link, 'five long password')).status]).toEqual([way, 410])
    }
  })

  test('adds an account, whose user chooses the password, also on a server that takes no new accounts', async () => {
    const link = await done('add', 'New@Example.org', '--name', 'Zoë')
    expect((await choose(link, 'six long passwords')).status).toBe(200)
    const { token } = (await logIn({ email: 'new@example.org', password: 'six long passwords' })).json
    const { account } = (await server.call('GET /account', { token })).json
    expect(account).toMatchObject({ name: 'Zoë', email: 'new@example.org' })
    expectRefused(await users(['add', 'new@example.org']), /has an account already/)
    expectRefused(await users(['add', 'new']), /email must be an email address/)
    expectRefused(await users(['add', 'other@example.org', '--name', ' ']), /name/)
  })

  test('deletes an account with all of its data, and the email can be used again', async () => {
    await user.addTask({ title: 'Secret of the deleted' })
    await done('delete', user.email)
    const rows = JSON.stringify(await allRows(server.database))
    for (const text of [user.email, 'Secret of the deleted']) expect(rows).not.toContain(text)
    const { email, password } = user
    const again = await server.call('POST /user/register', { body: { name: 'Ada', email, password } })
    expect(again.status).toBe(200)
  })
})

const names = 'list | add | show | disable | enable | end-sessions | delete | reset-password | end-token'
test.each([
  [[], `Use "users ${names}".`],
  [['end-token', 'a@b.c'], 'Use "users end-token EMAIL ID".'],
  [['disabel', 'a@b.c'], 'There is no "users disabel". Is "users disable" meant?'],
  [['disable'], 'Use "users disable EMAIL".'],
  [['disable', 'a@b.c', 'd@e.f'], 'Use "users disable EMAIL".'],
  [['list', 'a@b.c'], 'Use "users list" alone.'],
  [['disable', 'nobody@example.org'], 'There is no account nobody@example.org.'],
  [['show', 'nobody@example.org', '--name', 'Ada'], 'Only "users add" has the option --name.'],
  [['list', '--nam', 'Ada'], "There is no option '--nam'. The options are --name."],
])('the command users with %j ends with one line', async (args, line) => {
  const { href } = await migratedDatabase('sqlite')
  expectRefused(await runProgram('users/users-command.ts', args, { DATABASE_URL: href }), line)
})
