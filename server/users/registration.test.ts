import { expect, test, vi } from 'vitest'
import { emptyDatabase, onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

// With a fake hash, concurrent registrations reach the database at the same time.
vi.mock('@node-rs/argon2', () => ({
  hash: async (password: string) => `hash of ${password}`,
  verify: async (stored: string, password: string) => stored === `hash of ${password}`,
}))

onEveryEngine('registration', (engine) => {
  const register = (server: TestServer, email: string) =>
    server.call('POST /user/register', { body: { name: 'Ada', email, password: 'a long enough password' } })

  test('is rejected if REGISTRATION is closed, and existing users can log in', async () => {
    const url = await emptyDatabase(engine)
    const open = await startTestServer(url)
    const { email, password } = await open.newUser()
    await open.close()
    const closed = await startTestServer(url, { REGISTRATION: 'closed' })
    const { status, json } = await register(closed, 'eve@example.org')
    expect([status, json.detail]).toEqual([403, 'This server takes no new accounts.'])
    expect((await closed.call('POST /user/login', { body: { email, password } })).status).toBe(200)
    await closed.close()
  })

  test('accepts exactly one of many concurrent users at two servers if REGISTRATION is first-user', async () => {
    const url = await emptyDatabase(engine)
    const servers = [await startTestServer(url, { REGISTRATION: 'first-user' })]
    servers.push(await startTestServer(url, { REGISTRATION: 'first-user' }))
    // Opens the database connections beforehand, so that no registration waits for one.
    await Promise.all(servers.flatMap(({ app }) => Array.from({ length: 8 }, () => app.inject('/readyz'))))
    const attempts = Array.from({ length: 8 }, (_, i) =>
      register(servers[i % 2] as TestServer, `someone-${i}@example.org`),
    )
    const answers = await Promise.all(attempts)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)])
    expect((await register(servers[0] as TestServer, 'late@example.org')).status).toBe(403)
    expect((await allRows((servers[0] as TestServer).database)).users).toHaveLength(1)
    for (const server of servers) await server.close()
  })
})
