import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Engine, emptyDatabase, onEveryEngine } from '../testing/engines.ts'
import { startProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'

// What a hash costs is of no interest here; how calls interleave in the database is.
vi.mock('@node-rs/argon2', () => ({
  hash: async (password: string) => `hash of ${password}`,
  verify: async (stored: string, password: string) => stored === `hash of ${password}`,
}))

const newPassword = 'another long password'
const hour = 3_600_000

/** Milliseconds; nothing here depends on how much of them is needed. */
const patience = { timeout: 60_000 }

/** Round trips to the database that one of the two calls starts after the other: more than either call takes. */
const distances = Array.from({ length: 33 }, (_, index) => index - 16)

type Account = TestUser & { id: string }

/** One of two calls that are made at the same time; answers its status. */
type Racer = () => Promise<number>

onEveryEngine('of two calls of one account at the same time', (engine) => {
  /** Prepares and looks at what is left; the calls go through `far`, to which the way is slow on PostgreSQL. */
  let near: TestServer
  let far: TestServer
  let proxy: TcpProxy | undefined
  beforeAll(async () => {
    const url = await emptyDatabase(engine)
    near = await startTestServer(url)
    proxy = await slowWay(engine, url)
    far = await startTestServer(proxy?.url ?? url, { TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterAll(async () => {
    await near.close()
    await far.close()
    proxy?.close()
  })

  async function newAccount(): Promise<Account> {
    const user = await near.newUser()
    const row = near.database.read.selectFrom('users').select('id').where('email', '=', user.email)
    return { ...user, ...(await row.executeTakeFirstOrThrow()) }
  }

  let visitors = 0
  /** Each from an address of its own: what is counted by address is not what is tested here. */
  const send = async (endpoint: string, token?: string, body?: unknown) => {
    visitors++
    const headers = { 'x-forwarded-for': `10.0.${visitors >> 8}.${visitors & 255}` }
    return (await far.call(endpoint, { headers, ...(token ? { token } : {}), body })).status
  }
  const login = ({ email, password }: { email: string; password: string }) =>
    send('POST /user/login', undefined, { email, password })
  const register = (email: string) =>
    send('POST /user/register', undefined, { name: 'Eve', email, password: newPassword })
  const change = ({ password: currentPassword }: Account, token: string, to = newPassword) =>
    send('POST /user/changePassword', token, { currentPassword, newPassword: to })
  const remove = ({ password }: Account, token: string) =>
    send('POST /user/deleteAccount', token, { password })

  /** The token of another session of the account. */
  const anotherSession = async ({ email, password }: Account) =>
    (await near.call('POST /user/login', { body: { email, password } })).json.token
  const isValid = async (token: string) => (await near.call('GET /user/validate', { token })).status === 200
  const logsIn = async (email: string, password: string) =>
    (await near.call('POST /user/login', { body: { email, password } })).status === 200
  const countOf = async (table: 'sessions' | 'tasks', { id }: Account) =>
    (await near.database.read.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length
  const usersOf = async (email: string) =>
    (await near.database.read.selectFrom('users').select('id').where('email', '=', email).execute()).length

  async function after(roundTrips: number, racer: Racer) {
    for (let trip = 0; trip < roundTrips; trip++) {
      await far.database.read.selectFrom('users').select('id').limit(1).execute()
      await nextTurn()
    }
    return racer()
  }

  /** Both at once, again and again, each ahead of the other by more and more. */
  async function race(
    prepare: (account: Account) => Promise<[Racer, Racer]>,
    check: (account: Account, statuses: [number, number]) => Promise<void>,
  ) {
    const attempt = async (distance: number) => {
      const account = await newAccount()
      const [one, other] = await prepare(account)
      const statuses = await Promise.all([after(-distance, one), after(distance, other)])
      expect(Math.max(...statuses)).toBeLessThan(500)
      await check(account, statuses)
    }
    const remaining = distances.values()
    const attemptNext = async () => {
      for (const distance of remaining) await attempt(distance)
    }
    await Promise.all([attemptNext(), attemptNext(), attemptNext()])
  }

  test('a login with the old password beside a change of password leaves no session', async () => {
    await race(
      async (account) => [() => login(account), () => change(account, account.token)],
      async (account, [loggedIn, changed]) => {
        expect([200, 401]).toContain(loggedIn)
        expect(changed).toBe(200)
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([1, true])
      },
    )
  })

  test('a login beside the deletion of the account is refused or ends with it', async () => {
    await race(
      async (account) => [() => login(account), () => remove(account, account.token)],
      async (account, [loggedIn, removed]) => {
        expect([200, 401]).toContain(loggedIn)
        expect(removed).toBe(200)
        expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
      },
    )
  })

  test('two logins leave no more than twenty sessions', async () => {
    await race(
      async (account) => {
        await near.database.write(async (db) => {
          const session = { user_id: account.id, created_at: Date.now() - hour, last_used_at: Date.now() }
          const rows = Array.from({ length: 19 }, (_, i) => ({
            ...session,
            token_hash: `${account.id} ${i}`,
          }))
          await db.insertInto('sessions').values(rows).execute()
        })
        return [() => login(account), () => login(account)]
      },
      async (account, statuses) => {
        expect(statuses).toEqual([200, 200])
        expect(await countOf('sessions', account)).toBe(20)
      },
    )
  })

  test('one change of password is made, and the session that made it is the only one left', async () => {
    await race(
      async (account) => {
        const second = await anotherSession(account)
        return [() => change(account, account.token, 'the first of two'), () => change(account, second)]
      },
      async (account, statuses) => {
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        const [firstWon] = statuses.map((status) => status === 200)
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([1, firstWon])
        expect(await logsIn(account.email, firstWon ? 'the first of two' : newPassword)).toBe(true)
      },
    )
  })

  test('a change of password and a deletion of the account leave what the one that was made says', async () => {
    await race(
      async (account) => {
        const second = await anotherSession(account)
        return [() => change(account, account.token), () => remove(account, second)]
      },
      async (account, [changed, removed]) => {
        if (removed === 200) {
          expect([200, 401]).toContain(changed)
          expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
          return
        }
        expect([changed, [400, 401].includes(removed)]).toEqual([200, true])
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([1, true])
        expect(await logsIn(account.email, newPassword)).toBe(true)
      },
    )
  })

  test('one deletion of the account is made, and the other one finds nobody signed in', async () => {
    await race(
      async (account) => {
        const second = await anotherSession(account)
        return [() => remove(account, account.token), () => remove(account, second)]
      },
      async (account, statuses) => {
        expect(statuses.toSorted()).toEqual([200, 401])
        expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
      },
    )
  })

  test('one registration of an email is taken and the other one is told that the email is', async () => {
    await race(
      async ({ id }) => [() => register(`${id}@example.com`), () => register(`${id}@example.com`)],
      async ({ id }, statuses) => {
        expect(statuses.toSorted()).toEqual([200, 409])
        expect(await usersOf(`${id}@example.com`)).toBe(1)
      },
    )
  })

  test('a registration of the email of an account that is being deleted is refused or makes a new one', async () => {
    await race(
      async (account) => [() => register(account.email), () => remove(account, account.token)],
      async (account, [registered, removed]) => {
        expect([[200, 409].includes(registered), removed]).toEqual([true, 200])
        expect(await logsIn(account.email, account.password)).toBe(false)
        expect(await logsIn(account.email, newPassword)).toBe(registered === 200)
      },
    )
  })

  test('a logout ends the session whatever else it is used for', async () => {
    await race(
      async (account) => {
        // Old enough for its use to be noted, which writes to the row that the logout removes.
        const used = { last_used_at: Date.now() - 2 * hour }
        await near.database.write((db) =>
          db.updateTable('sessions').set(used).where('user_id', '=', account.id).execute(),
        )
        return [
          () => send('POST /user/logout', account.token),
          () => send('GET /list/getLatestTasks', account.token),
        ]
      },
      async (account, [loggedOut, listed]) => {
        expect([loggedOut, [200, 401].includes(listed)]).toEqual([200, true])
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([0, false])
      },
    )
  })

  test('a logout beside a change of password leaves no session', async () => {
    await race(
      async (account) => [
        () => send('POST /user/logout', account.token),
        () => change(account, account.token),
      ],
      async (account, [loggedOut, changed]) => {
        expect([loggedOut, [200, 401].includes(changed)]).toEqual([200, true])
        expect(await countOf('sessions', account)).toBe(0)
      },
    )
  })

  const draft = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'low' }
  test.each([
    ['added', (token: string) => send('POST /list/addTask', token, draft)],
    ['edited', (token: string, id: string) => send(`PUT /list/updateTask/${id}`, token, draft)],
    ['deleted', (token: string, id: string) => send(`DELETE /list/deleteTask/${id}`, token)],
  ])('a task that is %s beside the deletion of the account goes with it', async (_, act) => {
    await race(
      async (account) => {
        const { _id } = await account.addTask()
        return [() => act(account.token, _id), () => remove(account, account.token)]
      },
      async (account, [acted, removed]) => {
        expect([200, 401, 404]).toContain(acted)
        expect(removed).toBe(200)
        await vi.waitFor(async () => expect(await countOf('tasks', account)).toBe(0), patience)
      },
    )
  })

  test('no combination is answered 500, and a deletion among them leaves nothing', async () => {
    for (const seed of distances) {
      const account = await newAccount()
      const { _id } = await account.addTask()
      const others = [await anotherSession(account), await anotherSession(account)] as const
      const removal = () => remove(account, account.token)
      const racers = [
        ...[removal, () => login(account), () => login(account), () => change(account, others[0])],
        ...[() => change(account, others[1], 'a third password'), () => register(account.email)],
        () => send('POST /user/logout', others[1]),
        () => send('POST /list/addTask', account.token, draft),
        () => send(`PUT /list/updateTask/${_id}`, account.token, draft),
        () => send(`DELETE /list/deleteTask/${_id}`, others[0]),
        () => send('GET /list/getLatestTasks', others[1]),
      ]
      const [removed, ...statuses] = await Promise.all(
        // Each in another place of the order every time: the factors have no divisor in common with their number.
        racers.map((racer, index) => after((index * 5 + (seed + 16) * 3) % racers.length, racer)),
      )
      expect(Math.max(removed ?? 500, ...statuses)).toBeLessThan(500)
      if (removed !== 200) continue
      expect(await countOf('sessions', account)).toBe(0)
      await vi.waitFor(async () => expect(await countOf('tasks', account)).toBe(0), patience)
    }
  })
})

async function slowWay(engine: Engine, url: URL) {
  return engine === 'postgres' ? startProxy(url, { delay: 2 }) : undefined
}
