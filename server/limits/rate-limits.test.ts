import { expect, test } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { newEmail, stopDate } from '../testing/many-clients.ts'
import { allRows } from '../testing/rows.ts'
import type { Answer } from '../testing/test-client.ts'
import { serverForTest, type TestServer } from '../testing/test-server.ts'

const pass = stopDate()

function expectRefused({ status, headers, json }: Answer, seconds: number) {
  expect([status, headers['retry-after']]).toEqual([429, String(seconds)])
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(json).toMatchObject({ status: 429, title: 'Too Many Requests' })
  expect(json.detail).toMatch(/^Too many attempts\. Wait \d+ (seconds|minutes) before the next one\.$/)
}

onEveryEngine('rate limits', (engine) => {
  const start = (environment?: Record<string, string>) => serverForTest(engine, environment)
  const register = ({ call }: TestServer, from: string) => {
    const body = { name: 'Ada', email: newEmail(), password: 'a long enough password' }
    return call('POST /user/register', { body, from })
  }

  test('SIGNUP_RATE_LIMIT limits the sign-ups from one address', async () => {
    const server = await start({ SIGNUP_RATE_LIMIT: '2/1h' })
    expect((await register(server, '203.0.113.1')).status).toBe(200)
    expect((await register(server, '203.0.113.1')).status).toBe(200)
    const before = await allRows(server.database)
    expectRefused(await register(server, '203.0.113.1'), 3600)
    expect(await allRows(server.database)).toEqual(before)
    for (const address of ['2001:db8::1', '2001:db8::2'])
      expect((await register(server, address)).status).toBe(200)
    expectRefused(await register(server, '2001:db8::3'), 3600)
    pass(3600)
    expect((await register(server, '203.0.113.1')).status).toBe(200)
  })

  test('API_RATE_LIMIT limits the calls of each user separately, including rejected ones', async () => {
    const server = await start({ API_RATE_LIMIT: '5/10s' })
    const ada = await server.newUser()
    const eve = await server.newUser()
    for (let i = 0; i < 4; i++) expect((await ada.call('GET /list/getLatestTasks')).status).toBe(200)
    expect((await ada.call('POST /list/addTask', { body: {} })).status).toBe(400)
    pass(4)
    expectRefused(await ada.call('GET /list/getLatestTasks'), 6)
    expectRefused(await ada.call('POST /list/addTask', { body: {} }), 6)
    expect((await eve.call('GET /list/getLatestTasks')).status).toBe(200)
    expect((await server.app.inject('/livez')).statusCode).toBe(200)
    pass(6)
    expect((await ada.call('GET /list/getLatestTasks')).status).toBe(200)
  })

  test('API_RATE_LIMIT lets all tokens of a user make half of the calls together, whatever they try, a calendar too', async () => {
    const server = await start({ API_RATE_LIMIT: '8/10s' })
    const ada = await server.newUser()
    const tokenOf = async (scope: string) => (await ada.newToken(scope)).token
    const tokens = [await tokenOf('read'), await tokenOf('read'), await tokenOf('write')]
    const feed = await tokenOf('feed')
    pass(10)
    let calls = 0
    const byToken = () =>
      server.call('GET /list/getLatestTasks', { token: tokens[calls++ % tokens.length] ?? '' })
    for (let i = 0; i < 4; i++) expect((await byToken()).status).toBe(200)
    for (let i = 0; i < 8; i++) expectRefused(await byToken(), 10)
    for (let i = 0; i < 4; i++) expect((await ada.call('GET /list/getLatestTasks')).status).toBe(200)
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await server.app.inject(`/feed/${feed}.ics`)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    pass(10)
    expect((await byToken()).status).toBe(200)
  })

  test('API_RATE_LIMIT counts calls with an invalid token by their network, validations included, and apart from the calls of a user', async () => {
    const server = await start({ API_RATE_LIMIT: '5/10s' })
    const from = (from: string, authorization?: string) =>
      server.call('GET /list/getLatestTasks', { from, headers: authorization ? { authorization } : {} })
    const ada = await server.newUser()
    const tokens = ['Bearer wrong', undefined, 'Basic eA==', `Bearer ${'x'.repeat(43)}`]
    for (const token of tokens) expect((await from('2001:db8::1', token)).status).toBe(401)
    expect((await server.call('GET /user/validate', { from: '2001:db8::1' })).status).toBe(403)
    pass(4)
    for (const token of tokens) expectRefused(await from('2001:db8::2', token), 6)
    expect((await from('2001:db8::1', `Bearer ${ada.token}`)).status).toBe(200)
    expect((await from('203.0.113.1')).status).toBe(401)
    pass(6)
    expect((await from('2001:db8::1')).status).toBe(401)
  })

  test('there is no limit by default', async () => {
    const server = await start()
    const { call } = await server.newUser()
    for (let i = 0; i < 5; i++) expect((await register(server, '203.0.113.1')).status).toBe(200)
    for (let i = 0; i < 50; i++) expect((await call('GET /user/validate')).status).toBe(200)
  })
})
