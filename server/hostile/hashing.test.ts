import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, onEveryEngine } from '../testing/engines.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'

const password = 'a long enough password'
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
const address = (i: number) => `198.18.0.${i + 1}`
const attacker = '203.0.113.9'

// Real hashes in a process of its own: what is tested is who waits for them.
onEveryEngine('hashing, while one address asks for as much of it as it can', (engine) => {
  let server: ServerProcess
  beforeAll(async () => {
    const environment = { TRUSTED_PROXIES: '127.0.0.1' }
    server = await startServer({ DATABASE_URL: (await emptyDatabase(engine)).href, ...environment })
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

  /** What others are answered, one after the other, while the address keeps so much waiting. */
  async function whileFlooding(flood: () => ReturnType<typeof post>, count: number) {
    let flooding = true
    const flooded: Awaited<ReturnType<typeof post>>[] = []
    const connections = many(count, async () => {
      while (flooding) flooded.push(await flood())
    })
    const others: number[] = []
    for (let i = 0; i < 20; i++) others.push((await login(`owner-${i}@example.org`, address(i))).status)
    flooding = false
    await Promise.all(connections)
    return { others, flooded }
  }

  test.each([
    ['logins that succeed', () => login('owner-0@example.org', attacker), 200],
    ['sign-ups with an email that is taken', () => register('owner-0@example.org', attacker), 409],
  ])('80 %s at once from there turn away no login from elsewhere', async (_, flood, status) => {
    const { others, flooded } = await whileFlooding(flood, 80)
    expect(others).toEqual(many(20, () => 200))
    expect(new Set(flooded.map((each) => each.status))).toEqual(new Set([status]))
  })

  test('beyond what may wait only that address is told to come back, and when', async () => {
    const { others, flooded } = await whileFlooding(() => login('owner-0@example.org', attacker), 300)
    expect(others).toEqual(many(20, () => 200))
    expect(new Set(flooded.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
      new Set(['200 null', '503 2']),
    )
  })

  test('200 people who sign up at once from one address all succeed', async () => {
    const answers = await Promise.all(many(200, (i) => register(`pupil-${i}@example.org`, '203.0.113.77')))
    expect(answers.map(({ status }) => status)).toEqual(many(200, () => 200))
  })
})
