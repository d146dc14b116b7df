import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../testing/engines.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'

const password = 'a long enough password'
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
const address = (i: number) => `198.18.0.${i + 1}`
const attacker = '203.0.113.9'

// Uses real hashes in a separate process. The queue does not depend on the engine.
describe('hashing, while one address requests as much of it as possible', () => {
  let server: ServerProcess
  beforeAll(async () => {
    const environment = { TRUSTED_PROXIES: '127.0.0.1' }
    server = await startServer({ DATABASE_URL: (await emptyDatabase('sqlite')).href, ...environment })
    for (let i = 0; i < 20; i++) await register(`owner-${i}@example.org`, address(i))
  })
  afterAll(() => server.stop('SIGKILL'))

  async function post(path: string, body: object, from: string) {
    const answer = await fetch(`${server.api}/user/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }
  const register = (email: string, from: string) => post('register', { name: 'Ada', email, password }, from)
  const login = (email: string, from: string) => post('login', { email, password }, from)

  /** Returns the responses to the concurrent requests of one address, and to the first requests of others after them. */
  async function flood(count: number, ask: () => ReturnType<typeof post>) {
    const flooding = many(count, ask)
    const others = many(20, (i) => login(`owner-${i}@example.org`, address(i)))
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(many(20, () => 200))
    const answers = await Promise.all(flooding)
    return new Set(answers.map(({ status, retryAfter }) => `${status} ${retryAfter}`))
  }

  test.each([
    ['logins that succeed', () => login('owner-0@example.org', attacker), 200],
    ['sign-ups with an email that is taken', () => register('owner-0@example.org', attacker), 409],
  ])('80 concurrent %s from there cause no rejection of others', async (_, ask, status) => {
    expect(await flood(80, ask)).toEqual(new Set([`${status} null`]))
  })

  test('above the limit of waiting requests, only that address gets a 503 with Retry-After', async () => {
    const answers = await flood(400, () => login('owner-0@example.org', attacker))
    expect(answers).toEqual(new Set(['200 null', '503 2']))
  })

  test('150 concurrent sign-ups from one address all succeed', async () => {
    const answers = await Promise.all(many(150, (i) => register(`pupil-${i}@example.org`, '203.0.113.77')))
    expect(answers.map(({ status }) => status)).toEqual(many(150, () => 200))
  })
})
