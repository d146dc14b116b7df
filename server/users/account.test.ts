import { expect, test, vi } from 'vitest'
import { migratedDatabase } from '../testing/engines.ts'
import { many, newAddress, stopDate } from '../testing/many-clients.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, serverForTest, type TestServer, type TestUser } from '../testing/test-server.ts'

// These tests start dozens of sessions, and registrations that reach the database at the same time, so hashing is replaced by a
// fast function. users.test.ts uses the real one.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const newPassword = 'another long password'
/** Calls that need the password, its field, and their other fields. */
const withPassword = [
  ['changePassword', 'currentPassword', { newPassword }],
  ['deleteAccount', 'password', {}],
] as const
const pass = stopDate()

onEveryServer('accounts', ({ engine, server, user }) => {
  const login = ({ email, password }: Pick<TestUser, 'email' | 'password'>) =>
    server.call('POST /user/login', { body: { email, password } })
  const valid = (token: string) => server.as(token).isValid()
  const change = (user: TestUser, currentPassword: string) =>
    user.call('POST /user/changePassword', { body: { currentPassword, newPassword } })

  test('changing the password ends all sessions except the one that changes it', async () => {
    const otherUser = await server.newUser()
    const others = await Promise.all(many(3, async () => (await login(user)).json.token))
    const { status, text } = await change(user, user.password)
    expect({ status, text }).toEqual({ status: 200, text: '{}' })
    expect(await Promise.all([user.token, otherUser.token].map(valid))).toEqual([true, true])
    expect(await Promise.all(others.map(valid))).toEqual([false, false, false])
    expect((await login(user)).status).toBe(401)
    expect((await login({ ...user, password: newPassword })).status).toBe(200)
  })

  test('changing the password and ending the sessions is one transaction', async () => {
    const other = (await login(user)).json.token
    const before = await allRows(server.database)
    const { write } = server.database
    const failing = vi.spyOn(server.database, 'write').mockImplementation((work) =>
      write(async (db) => {
        const result = await work(db)
        const sessions = await db.selectFrom('sessions').select('user_id').execute()
        if (sessions.length < (before.sessions?.length ?? 0)) throw new Error('the disk failed')
        return result
      }),
    )
    expect((await change(user, user.password)).status).toBe(500)
    failing.mockRestore()
    const { users, sessions } = await allRows(server.database)
    expect({ users, sessions }).toEqual({ users: before.users, sessions: before.sessions })
    expect([await valid(other), (await login(user)).status]).toEqual([true, 200])
  })

  test.each(withPassword)(
    '%s with a wrong %s is rejected with its field, and changes nothing',
    async (call, field, body) => {
      await user.addTask()
      const { guesses: _, ...before } = await allRows(server.database)
      const { status, json } = await user.call(`POST /user/${call}`, { body: { ...body, [field]: 'wrong' } })
      expect([status, json.errors]).toEqual([
        400,
        [{ field, code: 'wrong-password', message: 'is not right' }],
      ])
      expect(await allRows(server.database)).toMatchObject(before)
    },
  )

  test.each(withPassword)(
    'guessing at %s is throttled, for the right password as for a wrong one',
    async (call, field, body) => {
      const guess = (password: string, from = '127.0.0.1') =>
        user.call(`POST /user/${call}`, { body: { ...body, [field]: password }, from })
      for (let i = 0; i < 10; i++) expect((await guess('wrong')).status).toBe(400)
      const [wrong, right] = [await guess('wrong'), await guess(user.password)]
      expect([wrong.status, wrong.headers['retry-after']]).toEqual([429, '5'])
      expect([right.status, right.text]).toEqual([429, wrong.text])
      // Neither logins nor other networks wait.
      expect((await login(user)).status).toBe(200)
      expect((await guess('wrong', newAddress())).status).toBe(400)
      pass(5)
      expect((await guess(user.password)).status).toBe(200)
    },
  )

  test('deleting an account deletes all of its rows and no others', async () => {
    // The deletions of earlier tests have ended.
    const closed = server.database.read.selectFrom('users').select('id').where('closed_at', 'is not', null)
    await expect.poll(() => closed.execute()).toEqual([])
    const before = await allRows(server.database)
    const user = await server.newUser()
    await Promise.all(many(3, () => user.addTask()))
    await login(user)
    const countsOf = (rows: Record<string, string[]>) =>
      ['users', 'sessions', 'tasks'].map((table) => (rows[table]?.length ?? 0) - (before[table]?.length ?? 0))
    expect(countsOf(await allRows(server.database))).toEqual([1, 2, 3])
    const body = { password: user.password }
    const { status, text } = await user.call('POST /user/deleteAccount', { body })
    expect({ status, text }).toEqual({ status: 200, text: '{}' })
    await expect
      .poll(async () => ({ ...(await allRows(server.database)), attempts: [] }))
      .toEqual({ ...before, attempts: [] })
    expect(await valid(user.token)).toBe(false)
    expect((await login(user)).status).toBe(401)
  })

  test('the oldest sessions end if an account has more than twenty, even if all start concurrently', async () => {
    const tokens = [user.token]
    for (let i = 0; i < 5; i++) {
      pass(1)
      tokens.push((await login(user)).json.token)
    }
    pass(1)
    const atOnce = await Promise.all(many(18, async () => (await login(user)).json.token))
    expect(await Promise.all(tokens.map(valid))).toEqual([...many(4, () => false), true, true])
    expect(await Promise.all(atOnce.map(valid))).toEqual(many(18, () => true))
  })

  const register = (at: TestServer | undefined, email: string, host = 'localhost') =>
    (at ?? server).call('POST /user/register', {
      body: { name: 'Ada', email, password: 'a long enough password' },
      headers: { host },
    })

  test('a registration is rejected if REGISTRATION is closed, and existing users can log in', async () => {
    const closed = await serverForTest(server.url, { REGISTRATION: 'closed' })
    const { status, json } = await register(closed, 'eve@example.org')
    expect([status, json.detail]).toEqual([403, 'This server takes no new accounts.'])
    expect((await closed.call('POST /user/login', { body: user })).status).toBe(200)
  })

  test('two servers accept exactly one of many concurrent users if REGISTRATION is first-user', async () => {
    const url = await migratedDatabase(engine)
    const start = () => serverForTest(url, { REGISTRATION: 'first-user' })
    const servers = [await start(), await start()] as const
    // Opens the database connections beforehand, so that no registration waits for one.
    await Promise.all(servers.flatMap(({ app }) => many(8, () => app.inject('/readyz'))))
    const answers = await Promise.all(many(8, (i) => register(servers[i % 2], `someone-${i}@example.org`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)])
    expect((await register(servers[0], 'late@example.org')).status).toBe(403)
    expect((await allRows(servers[0].database)).users).toHaveLength(1)
  })

  test('a first user from a page that resolves its own host name to this machine is rejected', async () => {
    const server = await serverForTest(engine, { REGISTRATION: 'first-user' })
    const strangers = [
      ...['rebound.example:3000', 'rebound.example'],
      ...['localhost.rebound.example', '127.0.0.1.rebound.example'],
      ...['192.0.2.7:3000', '0.0.0.0:3000', '[2001:db8::1]:3000'],
    ]
    for (const host of strangers) {
      const { status, json } = await register(server, 'eve@example.org', host)
      expect([host, status, json.detail]).toEqual([host, 403, expect.stringContaining('http://localhost')])
    }
    expect((await allRows(server.database)).users).toEqual([])
    expect((await register(server, 'ada@example.org', 'localhost:3000')).status).toBe(200)
    const late = await register(server, 'eve@example.org', 'rebound.example:3000')
    expect([late.status, late.json.detail]).toEqual([403, 'This server takes no new accounts.'])
  })

  test.each([
    ['localhost', {}],
    ['LOCALHOST:3000', {}],
    ['127.0.0.1:3000', {}],
    ['[::1]:3000', { HOST: '::1' }],
    ['[::1]', { HOST: 'localhost' }],
    ['tasks.example.org', { TRUSTED_PROXIES: '127.0.0.1' }],
    ['tasks.example.org:3000', { HOST: '0.0.0.0' }],
    ['tasks.example.org', { REGISTRATION: 'open' }],
  ])('the first user is accepted at %s with %j', async (host, environment) => {
    const server = await serverForTest(engine, { REGISTRATION: 'first-user', ...environment })
    expect((await register(server, 'ada@example.org', host)).status).toBe(200)
  })
})
