import { expect, test, vi } from 'vitest'
import { migratedDatabase, onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { serverForTest, type TestServer } from '../testing/test-server.ts'

// With a fake hash, concurrent registrations reach the database at the same time.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

onEveryEngine('registration', (engine) => {
  const register = (server: TestServer, email: string, host?: string) =>
    server.call('POST /user/register', {
      body: { name: 'Ada', email, password: 'a long enough password' },
      ...(host === undefined ? {} : { headers: { host } }),
    })

  test('is rejected if REGISTRATION is closed, and existing users can log in', async () => {
    const url = await migratedDatabase(engine)
    const open = await serverForTest(url)
    const { email, password } = await open.newUser()
    const closed = await serverForTest(url, { REGISTRATION: 'closed' })
    const { status, json } = await register(closed, 'eve@example.org')
    expect([status, json.detail]).toEqual([403, 'This server takes no new accounts.'])
    expect((await closed.call('POST /user/login', { body: { email, password } })).status).toBe(200)
  })

  test('accepts exactly one of many concurrent users at two servers if REGISTRATION is first-user', async () => {
    const url = await migratedDatabase(engine)
    const servers = [await serverForTest(url, { REGISTRATION: 'first-user' })]
    servers.push(await serverForTest(url, { REGISTRATION: 'first-user' }))
    // Opens the database connections beforehand, so that no registration waits for one.
    await Promise.all(servers.flatMap(({ app }) => Array.from({ length: 8 }, () => app.inject('/readyz'))))
    const attempts = Array.from({ length: 8 }, (_, i) =>
      register(servers[i % 2] as TestServer, `someone-${i}@example.org`),
    )
    const answers = await Promise.all(attempts)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)])
    expect((await register(servers[0] as TestServer, 'late@example.org')).status).toBe(403)
    expect((await allRows((servers[0] as TestServer).database)).users).toHaveLength(1)
  })

  test('rejects a first user from a page that resolves its own host name to this machine', async () => {
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
  ])('takes the first user at %s with %j', async (host, environment) => {
    const server = await serverForTest(engine, { REGISTRATION: 'first-user', ...environment })
    expect((await register(server, 'ada@example.org', host)).status).toBe(200)
  })
})
