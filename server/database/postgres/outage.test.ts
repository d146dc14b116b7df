import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { emptyDatabase, onPostgres } from '../../testing/engines.ts'
import { addUser, countOf, incrementCount, openTestDatabase } from '../../testing/open-test-database.ts'
import { createPostgresServer, type PostgresServer } from '../../testing/postgres-server.ts'
import { startServer } from '../../testing/server-process.ts'
import { startProxy, type TcpProxy } from '../../testing/tcp-proxy.ts'
import { serverForTest, type TestUser } from '../../testing/test-server.ts'

/** The default; other tests have a longer limit. */
const limits = { POSTGRES_STATEMENT_SECONDS: '2' }

const draft = { title: 'Water the plants', body: '', dueDate: '2026-11-21', priority: 'low' }

/** Makes calls that need the database. */
const callAll = (user: TestUser) =>
  Promise.all([
    user.call('GET /list/getLatestTasks'),
    user.call('GET /user/validate'),
    user.call('POST /list/addTask', { body: draft }),
    user.call('POST /user/login', { body: user }),
  ])

/** All calls get a 503, within five seconds of a clock of this process, which a busy machine slows down like the server. */
async function expectUnavailable(user: TestUser) {
  let tenths = 0
  const clock = setInterval(() => tenths++, 100)
  const answers = await callAll(user)
  clearInterval(clock)
  const headers = {
    'content-type': expect.stringMatching(/^application\/problem\+json/),
    'retry-after': expect.stringMatching(/^[1-9]/),
  }
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, headers })
  expect(tenths).toBeLessThan(50)
}

/** All calls succeed again within 50 attempts, which is a second if each attempt takes as long as its interval. */
async function expectService(user: TestUser) {
  let attempts = 0
  await vi.waitFor(
    async () => {
      attempts++
      for (const { status } of await callAll(user)) expect(status).toBe(200)
    },
    { timeout: 60_000, interval: 20 },
  )
  expect(attempts).toBeLessThan(50)
}

describe('a restart of PostgreSQL', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = await createPostgresServer(inject('folder'))
    await postgres.start()
    await onPostgres(postgres.url('postgres'), 'create database daymark')
  })
  afterAll(() => postgres.stop())

  test('makes calls fail with a 503, and they succeed within a second after it', async () => {
    const server = await serverForTest(postgres.url('daymark'), limits)
    const user = await server.newUser()
    await callAll(user)
    await postgres.stop()
    for (let times = 0; times < 2; times++) await expectUnavailable(user)
    await postgres.start()
    await expectService(user)
  })

  test('under load crashes no server, loses no acknowledged write and duplicates none', async () => {
    const server = await startServer({ DATABASE_URL: postgres.url('daymark').href, LOG_LEVEL: 'warn' })
    const body = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
    const { token } = (await server.call('POST /user/register', { body })).json
    const acknowledged: string[] = []
    let stopping = false
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let number = 0; !stopping; number++) {
        const title = `${client}-${number}`
        const { status } = await server.call('POST /list/addTask', { token, body: { ...draft, title } })
        if (status === 200) acknowledged.push(title)
        else expect([title, status]).toEqual([title, 503])
      }
    })
    const progress = async () => {
      const sofar = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(sofar + 100)
    }
    for (let outage = 0; outage < 2; outage++) {
      await progress()
      await postgres.stop()
      await postgres.start()
    }
    await progress()
    stopping = true
    await Promise.all(clients)
    expect(server.isRunning()).toBe(true)
    const { stdout } = await server.stop('SIGKILL')
    const logged = /"level":40.*"path":"\/api\/v1\/list\/addTask".*"status":503.*"msg":"the database failed"/
    expect(stdout).toMatch(logged)

    const titles = `select title from tasks where title ~ '^\\d+-\\d+$'`
    const stored = (await onPostgres(postgres.url('daymark'), titles)).map(({ title }) => title as string)
    expect(new Set(stored).size).toBe(stored.length)
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
  })
})

describe('a lost connection to PostgreSQL', () => {
  let proxy: TcpProxy
  let target: URL
  beforeEach(async () => {
    target = await emptyDatabase('postgres')
    proxy = await startProxy(target)
  })
  afterEach(() => proxy.close())

  test('makes calls fail with a 503 until the network is available again', async () => {
    const server = await serverForTest(proxy.url, limits)
    const user = await server.newUser()
    await callAll(user)
    proxy.stall('all')
    await expectUnavailable(user)
    proxy.resume()
    await expectService(user)
  })

  test('or a paused server ends its transaction, so that others can write, and its call fails with a 503', async () => {
    const [paused, other] = [await openTestDatabase(proxy.url), await openTestDatabase(proxy.url)]
    const id = await other.write((db) => addUser(db))
    const [locked, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const write = paused.write(async (db) => {
      // Only so that the test need not wait for ten seconds.
      await sql`set local idle_in_transaction_session_timeout = '200ms'`.execute(db)
      await incrementCount(db, id)
      proxy.stall('open')
      locked.resolve()
      await resumed.promise
      await incrementCount(db, id)
    })
    await locked.promise
    const direct = await openTestDatabase(target)
    await direct.write((db) => incrementCount(db, id))
    proxy.resume()
    resumed.resolve()
    const error = await write.catch((reason: unknown) => reason)
    expect(paused.explain(error)).toMatchObject({ status: 503, code: 'database-unreachable' })
    await paused.write((db) => incrementCount(db, id))
    expect(await countOf(other.read, id)).toBe(2)
    for (const { close } of [paused, other, direct]) await close()
  })

  test('makes only one call fail: a connection that timed out is not used again', async () => {
    const database = await openTestDatabase(proxy.url, limits)
    await database.emails()
    proxy.stall('open')
    const error = await database.emails().catch((reason: unknown) => reason)
    expect(database.explain(error)).toMatchObject({ status: 503 })
    expect(await database.emails()).toEqual([])
    await database.close()
  })

  test.each([
    ['before', []],
    ['after', ['once@example.org']],
  ] as const)('%s PostgreSQL received COMMIT causes no retry: it may be stored', async (when, stored) => {
    const database = await openTestDatabase(proxy.url)
    let runs = 0
    proxy.cut(when, 'commit\0')
    const write = database.write((db) => {
      runs++
      return addUser(db, 'once@example.org')
    })
    const message = expect.stringContaining('may or may not be stored')
    await expect(write).rejects.toMatchObject({ status: 503, message })
    expect(runs).toBe(1)
    expect(await database.emails()).toEqual(stored)
    await database.close()
  })
})
