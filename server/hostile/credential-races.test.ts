import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { farServerForAll } from '../testing/far-server.ts'
import { many } from '../testing/many-clients.ts'
import { rounds } from '../testing/rounds.ts'
import { aTask } from '../testing/test-client.ts'
import { serverForAll, type TestUser } from '../testing/test-server.ts'

// These tests are about interleaving in the database, so hashing is replaced by a fast function.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const hour = 3_600_000
const newPassword = 'another long password'

/** The number of database round trips between the starts of two concurrent calls: up to more than either call makes. */
const distances = [0, 1, -1, 2, -2, 4, -4, 8, -8, 3, -3, 5, -5, 6, -6, 7, -7, 9, -9, 10, -10, 11, -11]
  .concat([12, -12, 13, -13, 14, -14, 15, -15, 16, -16])
  .slice(0, rounds(33))

const both = (...statuses: number[]): [number[], number[]] => [statuses, statuses]

/** One of two concurrent calls. Resolves to its status. */
type Racer = () => Promise<number>

onEveryEngine('of two concurrent calls of one account', (engine) => {
  /** Prepares accounts and checks the outcome. The concurrent calls go to `far`, whose PostgreSQL connection is slow. */
  const near = serverForAll(engine)
  const far = farServerForAll(engine, near, { TRUSTED_PROXIES: '127.0.0.1' })

  let clients = 0
  /** Sends each call from a different address, so that limits per address do not apply. */
  const send = async (endpoint: string, token = '', body?: unknown) => {
    clients++
    const headers = { 'x-forwarded-for': `10.0.${clients >> 8}.${clients & 255}` }
    return (await far.call(endpoint, { headers, token, body })).status
  }
  const login = ({ email, password }: { email: string; password: string }) =>
    send('POST /user/login', '', { email, password })
  const register = (email: string) =>
    send('POST /user/register', '', { name: 'Eve', email, password: newPassword })
  const change = ({ password: currentPassword }: TestUser, token: string, to = newPassword) =>
    send('POST /user/changePassword', token, { currentPassword, newPassword: to })
  const remove = ({ password }: TestUser, token: string) =>
    send('POST /user/deleteAccount', token, { password })

  /** The token of another session of the account. */
  const anotherSession = async (account: TestUser) => (await account.newSession()).token
  const logsIn = async (email: string, password: string) =>
    (await near.call('POST /user/login', { body: { email, password } })).status === 200
  const countOf = async (table: 'sessions' | 'tasks', { id }: TestUser) =>
    (await near.database.read.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length
  const usersOf = async (email: string) =>
    (await near.database.read.selectFrom('users').select('id').where('email', '=', email).execute()).length

  async function expectSession(account: TestUser, isValid: boolean, sessions = 1) {
    expect([await countOf('sessions', account), await account.isValid()]).toEqual([sessions, isValid])
  }
  async function expectGone(account: TestUser) {
    expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
  }

  /** Calls `racer` after this many round trips to the database. */
  async function after(roundTrips: number, racer: Racer) {
    for (let trip = 0; trip < roundTrips; trip++) {
      await far.database.read.selectFrom('users').select('id').limit(1).execute()
      await nextTurn()
    }
    return racer()
  }

  /** A test that makes both calls concurrently, once for each distance between their starts, and knows their possible statuses. */
  function race(
    title: string,
    prepare: (account: TestUser) => Promise<[Racer, Racer]>,
    possible: [number[], number[]],
    check: (account: TestUser, statuses: [number, number]) => Promise<void>,
  ) {
    const attempt = async (distance: number) => {
      const account = await near.newUser()
      const [one, other] = await prepare(account)
      // Both servers are in this process: on SQLite, `far` reads commits of `near` from its next turn on.
      await nextTurn()
      const statuses = await Promise.all([after(-distance, one), after(distance, other)])
      expect(statuses).toEqual(possible.map((each) => expect.toBeOneOf(each)))
      await check(account, statuses)
    }
    test(title, async () => {
      const remaining = distances.values()
      const attemptNext = async () => {
        for (const distance of remaining) await attempt(distance)
      }
      await Promise.all(many(3, attemptNext))
    })
  }

  race(
    'a login with the old password leaves no session after a password change',
    async (account) => [() => login(account), () => change(account, account.token)],
    [[200, 401], [200]],
    (account) => expectSession(account, true),
  )

  race(
    'a login during account deletion is rejected, or its session is deleted',
    async (account) => [() => login(account), () => remove(account, account.token)],
    [[200, 401], [200]],
    expectGone,
  )

  race(
    'two logins leave at most twenty sessions',
    async (account) => {
      const session = { user_id: account.id, created_at: Date.now() - hour, last_used_at: Date.now() }
      const rows = many(19, (i) => ({ ...session, token_hash: `${account.id} ${i}` }))
      await near.database.write((db) => db.insertInto('sessions').values(rows).execute())
      return [() => login(account), () => login(account)]
    },
    [[200], [200]],
    async (account) => expect(await countOf('sessions', account)).toBe(20),
  )

  race(
    'one password change succeeds, and only the session that made it remains',
    async (account) => {
      const second = await anotherSession(account)
      return [() => change(account, account.token, 'the first of two'), () => change(account, second)]
    },
    both(200, 400, 401),
    async (account, statuses) => {
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      const firstWon = statuses[0] === 200
      await expectSession(account, firstWon)
      expect(await logsIn(account.email, firstWon ? 'the first of two' : newPassword)).toBe(true)
    },
  )

  race(
    'a password change and an account deletion leave the state of the one that succeeded',
    async (account) => {
      const second = await anotherSession(account)
      return [() => change(account, account.token), () => remove(account, second)]
    },
    [
      [200, 401],
      [200, 400, 401],
    ],
    async (account, [changed, removed]) => {
      if (removed === 200) return await expectGone(account)
      expect(changed).toBe(200)
      await expectSession(account, true)
      expect(await logsIn(account.email, newPassword)).toBe(true)
    },
  )

  race(
    'one account deletion succeeds, and the other gets a 401',
    async (account) => {
      const second = await anotherSession(account)
      return [() => remove(account, account.token), () => remove(account, second)]
    },
    both(200, 401),
    async (account, statuses) => {
      expect(statuses.toSorted()).toEqual([200, 401])
      await expectGone(account)
    },
  )

  race(
    'one registration of an email succeeds, and the other gets a 409',
    async ({ id }) => [() => register(`${id}@example.com`), () => register(`${id}@example.com`)],
    both(200, 409),
    async ({ id }, statuses) => {
      expect([statuses.toSorted(), await usersOf(`${id}@example.com`)]).toEqual([[200, 409], 1])
    },
  )

  race(
    'a registration with the email of an account in deletion is rejected or creates a new account',
    async (account) => [() => register(account.email), () => remove(account, account.token)],
    [[200, 409], [200]],
    async (account, [registered]) => {
      expect(await logsIn(account.email, account.password)).toBe(false)
      expect(await logsIn(account.email, newPassword)).toBe(registered === 200)
    },
  )

  race(
    'a logout ends the session that another call uses',
    async ({ id, token }) => {
      // An old last use makes the server update the row that the logout deletes.
      const used = { last_used_at: Date.now() - 2 * hour }
      await near.database.write((db) =>
        db.updateTable('sessions').set(used).where('user_id', '=', id).execute(),
      )
      return [() => send('POST /user/logout', token), () => send('GET /list/getLatestTasks', token)]
    },
    [[200], [200, 401]],
    (account) => expectSession(account, false, 0),
  )

  race(
    'a logout leaves no session after a password change',
    async (account) => [() => send('POST /user/logout', account.token), () => change(account, account.token)],
    [[200], [200, 401]],
    (account) => expectSession(account, false, 0),
  )

  const acts: [string, (token: string, id: string) => Promise<number>][] = [
    ['added', (token) => send('POST /list/addTask', token, aTask)],
    ['edited', (token, id) => send(`PUT /list/updateTask/${id}`, token, aTask)],
    ['deleted', (token, id) => send(`DELETE /list/deleteTask/${id}`, token)],
    [
      'changed',
      (token, item) => send('POST /changes', token, { changes: [{ mutation: newId(), item, set: aTask }] }),
    ],
  ]
  for (const [acted, act] of acts)
    race(
      `a task that is ${acted} during account deletion is deleted with the account`,
      async (account) => {
        const { _id } = await account.addTask()
        return [() => act(account.token, _id), () => remove(account, account.token)]
      },
      [[200, 401, 404], [200]],
      (account) => expect.poll(() => countOf('tasks', account)).toBe(0),
    )

  test('no combination of calls gets a 500, and a deletion leaves nothing', async () => {
    for (const seed of distances) {
      const account = await near.newUser()
      const { _id } = await account.addTask()
      const others = [await anotherSession(account), await anotherSession(account)] as const
      const removal = () => remove(account, account.token)
      const racers = [
        ...[removal, () => login(account), () => login(account), () => change(account, others[0])],
        ...[() => change(account, others[1], 'a third password'), () => register(account.email)],
        () => send('POST /user/logout', others[1]),
        () => send('POST /list/addTask', account.token, aTask),
        () => send(`PUT /list/updateTask/${_id}`, account.token, aTask),
        () => send(`DELETE /list/deleteTask/${_id}`, others[0]),
        () => send('GET /list/getLatestTasks', others[1]),
      ]
      const [removed, ...statuses] = await Promise.all(
        // The order differs for each seed: the factors and the number of calls are coprime.
        racers.map((racer, index) => after((index * 5 + (seed + 16) * 3) % racers.length, racer)),
      )
      expect(Math.max(removed ?? 500, ...statuses)).toBeLessThan(500)
      if (removed !== 200) continue
      expect(await countOf('sessions', account)).toBe(0)
      await expect.poll(() => countOf('tasks', account)).toBe(0)
    }
  })
})
