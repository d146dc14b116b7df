import { expect, test, vi } from 'vitest'
import { farServerForAll } from '../testing/far-server.ts'
import { many, newAddress, stopDate } from '../testing/many-clients.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

// These tests count the guesses that are checked, so hashing is replaced by a fast function.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const pass = stopDate()

// `near` is without the delay, for long preparations.
onEveryServer('an attacker with the email of an account', ({ engine, server: near }) => {
  const server = farServerForAll(engine, near)

  const signIn = async (body: Pick<TestUser, 'email' | 'password'>, from: string, at = server) => {
    const { status, headers } = await at.call('POST /user/login', { from, body })
    return { status, wait: Number(headers['retry-after'] ?? 0) }
  }
  const guess = (email: string, from: string) => signIn({ email, password: 'a guess' }, from)

  /** Guesses from 31 networks concurrently, so that the account is under attack. */
  const attack = (email: string) => Promise.all(many(31, () => guess(email, newAddress())))

  test('does not lock the owner out: after 15 wrong guesses and polling from another network, every login of the owner succeeds', async () => {
    const owner = await server.newUser()
    const [home, cafe, attacker] = [newAddress(), newAddress(), newAddress()]
    expect((await signIn(owner, home)).status).toBe(200)
    for (let i = 0; i < 15; i++) await guess(owner.email, attacker)
    for (let i = 0; i < 10; i++) {
      // The attacker's wait ends from time to time; a further guess does not extend the wait of others.
      expect([401, 429]).toContain((await guess(owner.email, attacker)).status)
      expect((await signIn(owner, home)).status).toBe(200)
      expect((await signIn(owner, cafe)).status).toBe(200)
      pass(6)
    }
  })

  test('does not lock the owner out by polling from many networks either: a login from a known network succeeds at once, from another one after 30 seconds', async () => {
    const owner = await server.newUser()
    const [home, cafe] = [newAddress(), newAddress()]
    expect((await signIn(owner, home)).status).toBe(200)
    await attack(owner.email)
    expect((await signIn(owner, home)).status).toBe(200)
    expect(await signIn(owner, cafe)).toEqual({ status: 429, wait: 30 })
    const networks = many(20, newAddress)
    for (let seconds = 0; seconds < 30; seconds += 6) {
      await Promise.all(networks.map((from) => guess(owner.email, from)))
      expect((await signIn(owner, home)).status).toBe(200)
      pass(6)
    }
    await Promise.all(networks.map((from) => guess(owner.email, from)))
    expect((await signIn(owner, cafe)).status).toBe(200)
    // That network is known from now on.
    expect((await signIn(owner, cafe)).status).toBe(200)
  })

  test('only waits itself if it polls: no write, and no limit of other accounts at the same address', async () => {
    const [owner, colleague] = [await server.newUser(), await server.newUser()]
    const address = newAddress()
    for (let i = 0; i < 10; i++) expect((await guess(owner.email, address)).status).toBe(401)
    pass(1)
    const write = vi.spyOn(server.database, 'write')
    for (let i = 0; i < 40; i++) expect((await guess(owner.email, address)).wait).toBe(4)
    expect(write).not.toHaveBeenCalled()
    expect((await signIn(colleague, address)).status).toBe(200)
    expect((await signIn(owner, newAddress())).status).toBe(200)
  })

  test('finds at most 32 known networks, those of the last 30 days', async () => {
    const owner = await server.newUser()
    const day = 86_400
    // The address of the registration is the first one.
    const networks = many(33, newAddress)
    for (const from of networks) expect((await signIn(owner, from, near)).status).toBe(200)
    const [first, second] = networks as [string, string]
    await attack(owner.email)
    const answers = await Promise.all(networks.map((from) => signIn(owner, from)))
    expect(answers.map(({ status }) => status)).toEqual([...many(31, () => 200), 429, 429])
    pass(29 * day)
    expect((await signIn(owner, first)).status).toBe(200)
    pass(2 * day)
    await attack(owner.email)
    expect((await signIn(owner, first)).status).toBe(200)
    // The 30 days are over. The network had an attempt before, so its wait is over too, unless this one fails.
    expect((await guess(owner.email, second)).status).toBe(401)
    expect((await signIn(owner, second)).wait).toBe(60)
  })
})
