import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../testing/engines.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'

const password = 'a long enough password'
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
const address = (i: number) => `198.18.0.${i + 1}`
const attacker = '203.0.113.9'

// Real hashes in a process of its own. The queue for them is the same whatever the engine.
describe('hashing, while one address asks for as much of it as it can', () => {
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

  /** What the address is answered that asks so often at once, and what those who come right after it are. */
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
  ])('80 %s at once from there turn nobody away', async (_, ask, status) => {
    expect(await flood(80, ask)).toEqual(new Set([`${status} null`]))
  })

  test('of more than may wait only that address is told to come back, and when', async () => {
    const answers = await flood(400, () => login('owner-0@example.org', attacker))
    expect(answers).toEqual(new Set(['200 null', '503 2']))
  })

  test('150 people who sign up at once from one address all succeed', async () => {
    const answers = await Promise.all(many(150, (i) => register(`pupil-${i}@example.org`, '203.0.113.77')))
    expect(answers.map(({ status }) => status)).toEqual(many(150, () => 200))
  })
})
