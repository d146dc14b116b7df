import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { many, newAddress, newEmail, stopDate } from '../testing/many-clients.ts'
import { serverForAll, startTestServer, type TestServer } from '../testing/test-server.ts'

const looks = vi.hoisted(() => ({ count: 0 }))

// These tests count checked passwords, so hashing is replaced by a fast function. users.test.ts uses real hashes.
vi.mock('@node-rs/argon2', () => ({
  hash: async (password: string) => `hash of ${password}`,
  verify: async (stored: string, password: string) => {
    looks.count++
    await nextTurn()
    return stored === `hash of ${password}`
  },
}))

const [password, wrong] = ['a long enough password', 'a wrong password']
const proxy = '10.0.0.1'

const pass = stopDate()
beforeEach(() => {
  looks.count = 0
})

type How = { peer?: string; at?: TestServer }

onEveryEngine('guessing passwords', (engine) => {
  const environment = { TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8', OFFICE_NETWORKS: '198.51.100.0/24' }
  const server = serverForAll(engine, environment)
  const start = () => startTestServer(server.url, environment)

  /** Logs in through the trusted proxy, unless `peer` is another one. */
  async function login(
    email: string,
    password: string,
    from: string,
    { peer = proxy, at = server }: How = {},
  ) {
    const forwarded = { 'x-forwarded-for': from, forwarded: `for=${from}`, 'x-real-ip': from }
    const request = { body: { email, password }, headers: forwarded, from: peer }
    const { headers: all, status, text } = await at.call('POST /user/login', request)
    const { date: _, 'x-request-id': __, ...headers } = all
    return { status, headers, text }
  }
  type Answer = Awaited<ReturnType<typeof login>>
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
  const retryAfter = ({ headers }: Answer) => Number(headers['retry-after'])

  /** Tries wrong passwords, each for another account, the last ones one after another. */
  async function failFrom(count: number, address: (index: number) => string, how?: (index: number) => How) {
    const fail = async (i: number) =>
      expect((await login(newEmail(), wrong, address(i), how?.(i))).status).toBe(401)
    const atOnce = Math.min(count, 90)
    await Promise.all(many(atOnce, fail))
    for (let i = atOnce; i < count; i++) await fail(i)
  }

  /** The waits before so many further attempts, in seconds. Each ends in time, and not before. */
  async function waitsOf(email: string, from: string, count: number) {
    const waits: number[] = []
    while (waits.length < count) {
      waits.push(retryAfter(await login(email, wrong, from)))
      pass((waits.at(-1) ?? 0) - 1)
      expect((await login(email, password, from)).status).toBe(429)
      pass(1)
      expect((await login(email, wrong, from)).status).toBe(401)
    }
    return waits
  }

  test('a network from which logins to more than 100 accounts failed within 15 minutes waits for their end, except at accounts that have logged in from it', async () => {
    const [user, known, colleague] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const address = newAddress()
    expect((await login(known.email, password, address)).status).toBe(200)
    await failFrom(100, () => address)
    expect((await login(colleague.email, password, address)).status).toBe(200)
    await failFrom(1, () => address)
    pass(800)
    const refused = await login(user.email, password, address)
    expect(refused.status).toBe(429)
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(retryAfter(refused)).toBe(100)
    expect(JSON.parse(refused.text)).toEqual({
      type: 'about:blank',
      title: 'Too Many Requests',
      status: 429,
      code: 'too-many-attempts',
      params: { seconds: 100 },
      detail: 'Too many attempts. Wait 2 minutes before the next one.',
    })
    expect(await login(user.email, wrong, address)).toEqual(refused)
    // Logins from there lower the count neither for others nor for itself.
    for (let i = 0; i < 2; i++) expect((await login(known.email, password, address)).status).toBe(200)
    expect((await login(user.email, password, address)).status).toBe(429)
    expect((await login(user.email, password, newAddress())).status).toBe(200)
    pass(100)
    expect((await login(user.email, password, address)).status).toBe(200)
  })

  test('an office does not lock itself out: with any number of failures at 96 accounts every other account still logs in, four at a time, and successes do not count', async () => {
    const address = newAddress()
    const emails = many(96, newEmail)
    for (let round = 0; round < 3; round++)
      await Promise.all(emails.map((email) => login(email, wrong, address)))
    const colleagues = await Promise.all(many(20, server.newUser))
    const answers = await Promise.all(colleagues.map(({ email }) => login(email, password, address)))
    expect(statuses(answers)).toEqual(many(20, () => 200))
  })

  test('a network in OFFICE_NETWORKS is not limited by more than 100 accounts', async () => {
    await failFrom(102, () => '198.51.100.7')
  })

  test('the first 64 bits of an IPv6 address are one customer, and an IPv4-mapped address is its IPv4 one', async () => {
    await failFrom(101, (i) => `2001:db8:1:2:${i}::${i}`)
    expect((await login(newEmail(), wrong, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await login(newEmail(), wrong, '2001:db8:1:3::1')).status).toBe(401)
    await failFrom(101, (i) => (i % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'))
    expect((await login(newEmail(), wrong, '::ffff:203.0.113.9')).status).toBe(429)
    expect((await login(newEmail(), wrong, '203.0.113.9')).status).toBe(429)
  })

  test('after 10 failures at an account from one network, each further attempt from there waits twice as long, up to a maximum', async () => {
    const { email } = await server.newUser()
    const from = newAddress()
    for (let i = 0; i < 10; i++) expect((await login(email, wrong, from)).status).toBe(401)
    expect(await waitsOf(email, from, 7)).toEqual([5, 10, 20, 40, 80, 160, 300])
    pass(retryAfter(await login(email, wrong, from)))
    expect((await login(email, password, from)).status).toBe(200)
  })

  test('of 32 networks that guess at one account at most 30 are checked at once; then each has to wait before its first attempt', async () => {
    const { email } = await server.newUser()
    for (let i = 0; i < 30; i++) expect((await login(email, wrong, newAddress())).status).toBe(401)
    const from = newAddress()
    expect(await waitsOf(email, from, 6)).toEqual([30, 60, 120, 240, 480, 900])
  })

  test('networks of 64 bits in one IPv6 network of 48 bits have their attempts at an account together', async () => {
    const { email } = await server.newUser()
    for (let i = 0; i < 10; i++) expect((await login(email, wrong, `2001:db8:7:${i}::1`)).status).toBe(401)
    expect((await login(email, wrong, '2001:db8:7:ffff::1')).status).toBe(429)
    expect((await login(email, wrong, '2001:db8:8::1')).status).toBe(401)
  })

  test('while an account waits, the right password is answered exactly like a wrong one, and not checked', async () => {
    const { email } = await server.newUser()
    const from = newAddress()
    for (let i = 0; i < 10; i++) await login(email, wrong, from)
    looks.count = 0
    const answers = [wrong, password, wrong, password].map((given) => login(email, given, from))
    const [first, ...others] = await Promise.all(answers)
    expect(first?.status).toBe(429)
    for (const other of others) expect(other).toEqual(first)
    expect(looks.count).toBe(0)
  })

  test('an account that does not exist is limited like one that does', async () => {
    const answersFor = async (email: string) => {
      const answers: Answer[] = []
      const from = newAddress()
      for (let i = 0; i < 12; i++) answers.push(await login(email, wrong, from))
      const others = many(22, newAddress)
      for (const other of others) answers.push(await login(email, wrong, other))
      pass(30)
      answers.push(await login(email, wrong, others.at(-1) as string))
      return answers
    }
    const { email } = await server.newUser()
    looks.count = 0
    const known = await answersFor(email)
    expect(statuses(known)).toEqual([...many(10, () => 401), 429, 429, ...many(20, () => 401), 429, 429, 401])
    expect(await answersFor(newEmail())).toEqual(known)
    expect(looks.count).toBe(62)
  })

  test('sixty wrong guesses at once, at two servers, are checked no more often than one after the other, and are counted after a restart', async () => {
    const { email } = await server.newUser()
    const other = await server.newUser()
    const [address, site] = [newAddress(), newAddress()]
    const second = await start()
    const guess = (make: (at: TestServer) => Promise<Answer>, count = 60) =>
      Promise.all(many(count, (i) => make(i % 2 ? server : second)))
    looks.count = 0
    const atAccount = await guess((at) => login(email, wrong, newAddress(), { at }))
    expect(looks.count).toBe(30)
    const fromSite = await guess((at) => login(other.email, wrong, site, { at }))
    expect(looks.count).toBe(40)
    const fromAddress = await guess((at) => login(newEmail(), wrong, address, { at }), 130)
    expect(looks.count).toBe(141)
    await second.close()
    const restarted = await start()
    const later = [
      await login(other.email, password, site, { at: restarted }),
      await login(newEmail(), wrong, address, { at: restarted }),
    ]
    await restarted.close()
    expect(statuses(later)).toEqual([429, 429])
    for (const answer of [...atAccount, ...fromSite, ...fromAddress].filter(({ status }) => status !== 401)) {
      expect([429, 503]).toContain(answer.status)
      expect(retryAfter(answer)).toBeGreaterThan(0)
    }
  })

  test('forwarding headers from a peer that is no trusted proxy change nothing', async () => {
    const peer = newAddress()
    await failFrom(101, newAddress, () => ({ peer }))
    expect((await login(newEmail(), wrong, newAddress(), { peer })).status).toBe(429)
    expect((await login(newEmail(), wrong, peer, { peer: newAddress() })).status).toBe(401)
  })
})
