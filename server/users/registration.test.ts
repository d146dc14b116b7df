import { expect, test, vi } from 'vitest'
import { emptyDatabase, onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

// Those who come at the same moment are also done hashing at the same moment.
vi.mock('@node-rs/argon2', () => ({
  hash: async (password: string) => `hash of ${password}`,
  verify: async (stored: string, password: string) => stored === `hash of ${password}`,
}))

onEveryEngine('registration', (engine) => {
  const register = (server: TestServer, email: string) =>
    server.call('POST /user/register', { body: { name: 'Ada', email, password: 'a long enough password' } })

  test('is refused where REGISTRATION is closed, while those who have an account log in', async () => {
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

  test('takes one user where REGISTRATION is first-user, whoever comes at the same moment, at two servers', async () => {
    const url = await emptyDatabase(engine)
    const servers = [await startTestServer(url, { REGISTRATION: 'first-user' })]
    servers.push(await startTestServer(url, { REGISTRATION: 'first-user' }))
    // With connections open already, nobody is held up on the way.
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
