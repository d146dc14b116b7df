import { assert, integer, property, record } from 'fast-check'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { deleteInBatches } from '../database/expired-rows.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { newEmail, stopDate } from '../testing/many-clients.ts'
import { serverForEach } from '../testing/test-server.ts'
import { countAt, sweepAttempts, waitAfter } from './attempts.ts'
import { fromNetwork, fromSite, fromUnknownSite, knownSite, longestWindow, type Policy } from './policies.ts'

vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const year = 365 * 86_400_000

const pass = stopDate()

onEveryEngine('attempts with timestamps in the future, from a wrong clock,', (engine) => {
  const server = serverForEach(engine, { SIGNUP_RATE_LIMIT: '20/1h' })

  const post = async (path: string, body: object, from: string) => {
    const { status, headers } = await server.call(`POST /user/${path}`, { body, from })
    return { status, wait: Number(headers['retry-after'] ?? 0) }
  }
  const login = (from: string, email = newEmail()) =>
    post('login', { email, password: 'a wrong password' }, from)
  const register = (from: string) =>
    post('register', { name: 'Ada', email: newEmail(), password: 'a long enough password' }, from)
  const jumpAhead = () =>
    server.database.write(async (db) => {
      const later = sql`since = since + ${year}, last_at = last_at + ${year}`
      for (const table of ['attempts', 'guesses'])
        await sql`update ${sql.table(table)} set ${later}`.execute(db)
    })

  test('count as now: no wait is longer than without them', async () => {
    for (let i = 0; i <= 100; i++) await login('203.0.113.1')
    for (let i = 0; i < 10; i++) await login('203.0.113.2', 'ada@example.org')
    for (let i = 0; i < 20; i++) await register('203.0.113.3')
    await jumpAhead()
    expect(await login('203.0.113.1')).toEqual({ status: 429, wait: 900 })
    expect(await login('203.0.113.2', 'ada@example.org')).toEqual({ status: 429, wait: 5 })
    expect(await register('203.0.113.3')).toEqual({ status: 429, wait: 3600 })
    pass(5)
    expect(await login('203.0.113.1')).toEqual({ status: 429, wait: 895 })
    expect((await login('203.0.113.2', 'ada@example.org')).status).toBe(401)
    pass(895)
    expect((await login('203.0.113.1')).status).toBe(401)
    pass(2700)
    expect((await register('203.0.113.3')).status).toBe(200)
  })

  test('are removed, as are counts that no limit uses any more; valid counts and known networks stay', async () => {
    const names = async () => {
      const { read } = server.database
      const guesses = read.selectFrom('guesses').select('key')
      const rows = await read.selectFrom('attempts').select('key').unionAll(guesses).execute()
      return rows.map(({ key }) => key.replace(/ [0-9a-f]{64}$/, '')).sort()
    }
    const sweep = async () => {
      const windows = { known: knownSite.window, other: longestWindow({ seconds: 3600 }) }
      const { signal } = new AbortController()
      await sweepAttempts(deleteInBatches(server.database, 500, signal), Date.now(), windows)
      return names()
    }
    const known = ['known site', 'known sites']
    await register('203.0.113.1')
    await login('203.0.113.1')
    const all = [...known, 'login account', 'login network', 'login site', 'signup address']
    expect(await names()).toEqual(all)
    expect(await sweep()).toEqual(all)
    pass(3600)
    expect(await sweep()).toEqual(known)
    pass(30 * 86_400 - 3600)
    expect(await sweep()).toEqual([])
    await register('203.0.113.1')
    await login('203.0.113.1')
    await jumpAhead()
    expect(await sweep()).toEqual([])
  })
})

const instant = integer({ min: 0, max: 4e12 })
const anyCount = record({ count: integer({ min: 0, max: 1e6 }), since: instant, last_at: instant })

test.each([
  ['from a network', fromNetwork],
  ['from one site to an account', fromSite],
  ['from an unknown site to an account under attack', fromUnknownSite],
])('whatever is stored about guesses %s, the wait ends within the window', (_, policy: Policy) => {
  assert(
    property(anyCount, instant, (stored, now) => {
      const count = countAt(now, policy, stored)
      const wait = waitAfter(now, policy, count)
      expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).toBeLessThanOrEqual(policy.window)
      // A rejected attempt does not change the stored count; at the end of the wait there is no further wait.
      const later = countAt(now + wait, policy, count)
      if (count.count > 0)
        expect(waitAfter(now + wait, { ...policy, max: Math.max(policy.max, 1) }, later)).toBe(0)
    }),
  )
})
