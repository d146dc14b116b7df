import { afterEach, expect, test, vi } from 'vitest'
import { many } from '../testing/many-clients.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

// These tests start dozens of sessions, so hashing is replaced by a fast function. users.test.ts uses the real one.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const newPassword = 'another long password'

onEveryServer('accounts', ({ server, user }) => {
  afterEach(() => void vi.useRealTimers())

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

  test.each([
    ['changePassword', 'currentPassword', { newPassword }],
    ['deleteAccount', 'password', {}],
  ])('%s with a wrong %s is rejected with its field, and changes nothing', async (call, field, body) => {
    await user.addTask()
    const { guesses: _, ...before } = await allRows(server.database)
    const { status, json } = await user.call(`POST /user/${call}`, { body: { ...body, [field]: 'wrong' } })
    expect([status, json.errors]).toEqual([400, [{ field, code: 'wrong-password', message: 'is not right' }]])
    expect(await allRows(server.database)).toMatchObject(before)
  })

  test.each([
    ['changePassword', 'currentPassword', { newPassword }],
    ['deleteAccount', 'password', {}],
  ])('guessing at %s is throttled, for the right password as for a wrong one', async (call, field, body) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const user = await server.newUser()
    const guess = (password: string) =>
      user.call(`POST /user/${call}`, { body: { ...body, [field]: password } })
    for (let i = 0; i < 10; i++) expect((await guess('wrong')).status).toBe(400)
    const [wrong, right] = [await guess('wrong'), await guess(user.password)]
    expect([wrong.status, wrong.headers['retry-after']]).toEqual([429, '5'])
    expect([right.status, right.text]).toEqual([429, wrong.text])
    vi.setSystemTime(Date.now() + 5000)
    expect((await guess(user.password)).status).toBe(200)
  })

  test('a new password that is too short is rejected with an error of its field', async () => {
    const body = { currentPassword: user.password, newPassword: 'seven77' }
    const { status, json } = await user.call('POST /user/changePassword', { body })
    const message = 'must have at least 8 characters'
    const errors = [{ field: 'newPassword', code: 'too-short', params: { min: 8 }, message }]
    expect([status, json.errors]).toEqual([400, errors])
    expect((await login(user)).status).toBe(200)
  })

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
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const user = await server.newUser()
    const tokens = [user.token]
    for (let i = 0; i < 5; i++) {
      vi.setSystemTime(Date.now() + 1000)
      tokens.push((await login(user)).json.token)
    }
    vi.setSystemTime(Date.now() + 1000)
    const atOnce = await Promise.all(many(18, async () => (await login(user)).json.token))
    expect(await Promise.all(tokens.map(valid))).toEqual([...many(4, () => false), true, true])
    expect(await Promise.all(atOnce.map(valid))).toEqual(many(18, () => true))
  })
})
