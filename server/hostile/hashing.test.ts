import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { rounds } from '../testing/rounds.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'

const password = 'a long enough password'
const address = (i: number) => `198.18.0.${i + 1}`
const attacker = '203.0.113.9'
const [others, atOnce, pupils] = [rounds(20), rounds(80), rounds(150)]

// Uses real hashes in a separate process. The queue does not depend on the engine.
describe('hashing, while one address requests as much of it as possible', () => {
  let server: ServerProcess
  beforeAll(async () => {
    const environment = { TRUSTED_PROXIES: '127.0.0.1' }
    server = await startServer({ DATABASE_URL: (await emptyDatabase('sqlite')).href, ...environment })
    for (let i = 0; i < others; i++) await register(`owner-${i}@example.org`, address(i))
  })
  afterAll(() => server.stop('SIGKILL'))

  const post = (path: string, body: object, from: string) =>
    server.call(`POST /user/${path}`, { body, headers: { 'x-forwarded-for': from } })
  const register = (email: string, from: string) => post('register', { name: 'Ada', email, password }, from)
  const login = (email: string, from: string) => post('login', { email, password }, from)

  /** Returns the responses to the concurrent requests of one address. The first requests of others after them succeed. */
  async function flood(count: number, ask: () => ReturnType<typeof post>) {
    const flooding = many(count, ask)
    const logins = await Promise.all(many(others, (i) => login(`owner-${i}@example.org`, address(i))))
    expect(logins.map(({ status }) => status)).toEqual(many(others, () => 200))
    return await Promise.all(flooding)
  }

  test.each([
    ['logins that succeed', () => login('owner-0@example.org', attacker), 200],
    ['sign-ups with an email that is taken', () => register('owner-0@example.org', attacker), 409],
  ])(`${atOnce} concurrent %s from there cause no rejection of others`, async (_, ask, status) => {
    const answers = await flood(atOnce, ask)
    expect(answers.map((answer) => answer.status)).toEqual(many(atOnce, () => status))
  })

  test('above the limit of 200 waiting requests, only that address gets a 503 with Retry-After, and other calls are answered', async () => {
    const { token } = (await login('owner-1@example.org', address(1))).json
    const visited: string[] = []
    const visit = async (path: string) => {
      for (let time = 0; time < 20; time++) {
        const url = new URL(path, server.api)
        const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
        await answer.arrayBuffer()
        visited.push(`${path} ${answer.status}`)
      }
    }
    const paths = ['/livez', '/readyz', `${apiBase}/list/getLatestTasks`]
    const flooding = flood(300, () => login('owner-0@example.org', attacker))
    await Promise.all(paths.map(visit))
    const answers = await flooding
    expect(new Set(visited)).toEqual(new Set(paths.map((path) => `${path} 200`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(200)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers, json } of refused) {
      expect([status, headers['retry-after'], json.status]).toEqual([503, '2', 503])
      expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    }
  })

  test(`${pupils} concurrent sign-ups from one address all succeed`, async () => {
    const answers = await Promise.all(many(pupils, (i) => register(`pupil-${i}@example.org`, '203.0.113.77')))
    expect(answers.map(({ status }) => status)).toEqual(many(pupils, () => 200))
  })
})
