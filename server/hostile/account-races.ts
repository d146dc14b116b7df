import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Engine } from '../testing/engines.ts'
import { farServerForAll } from '../testing/far-server.ts'
import { rounds } from '../testing/rounds.ts'
import { serverForAll, type TestServer, type TestUser } from '../testing/test-server.ts'

export const newPassword = 'another long password'

/** The number of database round trips between the starts of two concurrent calls: up to more than either call makes. */
export const distances = [0, 1, -1, 2, -2, 4, -4, 8, -8, 3, -3, 5, -5, 6, -6, 7, -7, 9, -9, 10, -10, 11, -11]
  .concat([12, -12, 13, -13, 14, -14, 15, -15, 16, -16])
  .slice(0, rounds(33))

/** One of two concurrent calls. Resolves to its status. */
type Racer = () => Promise<number>

/** Starts two servers on one database for the tests of a describe block, and returns calls and checks for them. */
export function accountRaces(engine: Engine) {
  /** Prepares accounts and checks the outcome. The concurrent calls go to `far`, whose PostgreSQL connection is slow. */
  const near = serverForAll(engine)
  const far = farServerForAll(engine, near, { TRUSTED_PROXIES: '127.0.0.1' })

  const newAccount = () => near.newUser()

  let clients = 0
  /** Sends each call from a different address, so that limits per address do not apply. */
  const send = async (endpoint: string, token?: string, body?: unknown) => {
    clients++
    const headers = { 'x-forwarded-for': `10.0.${clients >> 8}.${clients & 255}` }
    return (await far.call(endpoint, { headers, ...(token ? { token } : {}), body })).status
  }
  const login = ({ email, password }: { email: string; password: string }) =>
    send('POST /user/login', undefined, { email, password })
  const register = (email: string) =>
    send('POST /user/register', undefined, { name: 'Eve', email, password: newPassword })
  const change = ({ password: currentPassword }: TestUser, token: string, to = newPassword) =>
    send('POST /user/changePassword', token, { currentPassword, newPassword: to })
  const remove = ({ password }: TestUser, token: string) =>
    send('POST /user/deleteAccount', token, { password })

  /** The token of another session of the account. */
  const anotherSession = async (account: TestUser) => (await account.newSession()).token
  const isValid = (token: string) => near.as(token).isValid()
  const logsIn = async (email: string, password: string) =>
    (await near.call('POST /user/login', { body: { email, password } })).status === 200
  const countOf = async (table: 'sessions' | 'tasks', { id }: TestUser) =>
    (await near.database.read.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length
  const usersOf = async (email: string) =>
    (await near.database.read.selectFrom('users').select('id').where('email', '=', email).execute()).length

  /** Calls `racer` after this many round trips to the database. */
  async function after(roundTrips: number, racer: Racer) {
    for (let trip = 0; trip < roundTrips; trip++) {
      await far.database.read.selectFrom('users').select('id').limit(1).execute()
      await nextTurn()
    }
    return racer()
  }

  /** Makes both calls concurrently, once for each distance between their starts. */
  async function race(
    prepare: (account: TestUser) => Promise<[Racer, Racer]>,
    check: (account: TestUser, statuses: [number, number]) => Promise<void>,
  ) {
    const attempt = async (distance: number) => {
      const account = await newAccount()
      const [one, other] = await prepare(account)
      // Both servers are in this process: on SQLite, `far` reads commits of `near` from its next turn on.
      await nextTurn()
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

  return {
    /** For direct changes of the database. */
    write: ((work) => near.database.write(work)) as TestServer['database']['write'],
    ...{ newAccount, send, login, register, change, remove, anotherSession },
    ...{ isValid, logsIn, countOf, usersOf, after, race },
  }
}
