import { beforeEach, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import type { Db } from '../database/schema.ts'
import { writeBatches } from '../database/write-queue.ts'
import { HttpError } from '../errors.ts'
import { insertTask } from '../tasks/task-writes.ts'
import { migratedDatabase, onPostgres } from '../testing/engines.ts'
import { listenTo } from '../testing/event-loop.ts'
import { farServerForTest } from '../testing/far-server.ts'
import { many } from '../testing/many-clients.ts'
import { addUser, databaseForAll, openTestDatabase } from '../testing/open-test-database.ts'
import { fail } from '../testing/postgres-queries.ts'
import { bearer, eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { startProxy } from '../testing/tcp-proxy.ts'
import { aTask } from '../testing/test-client.ts'
import { serverForTest, type TestServer } from '../testing/test-server.ts'

test("many tasks that one user adds at once take one connection of PostgreSQL, and others' calls are answered", async () => {
  const { near, database, newUser } = await farServerForTest('postgres')
  const calm = await newUser()
  const { _id } = await calm.addTask()
  const busy = await database.write((db) => addUser(db))

  const author = { userId: busy, device: '', by: '' }
  const limits = { kinds, quota: 2 ** 30, now: 0 }
  let isAnswered = false
  const adds = many(200, async () => {
    do await database.write((db) => insertTask(db, author, aTask, limits), busy)
    while (!isAnswered)
  })
  // Transactions that have written, and those that wait for a row which another has written.
  const writing = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend' and (backend_xid is not null or wait_event_type = 'Lock')`
  const seen: number[] = []
  const statuses: number[] = []
  while (seen.length < 20 || !seen.includes(1)) {
    seen.push((await onPostgres(near, writing)).length)
    statuses.push((await calm.call('GET /list/getLowPriorityTasks')).status)
    statuses.push((await calm.editTask(_id, aTask)).status)
  }
  isAnswered = true
  const failed = (await Promise.allSettled(adds)).filter(({ status }) => status === 'rejected')
  expect(failed).toEqual([])
  expect(Math.max(...seen)).toBe(1)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

/** Counts those that wait for a row which another has locked. */
const locked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Locks rows until the returned function is called. */
async function lockRows(
  { database }: Pick<TestServer, 'database'>,
  select: (db: Db) => { forUpdate(): { execute(): Promise<unknown> } },
) {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = database.write(async (db) => {
    await select(db).forUpdate().execute()
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return () => {
    released.resolve()
    return lock
  }
}

test('sign-ups from one network take one connection of PostgreSQL, and the calls of others are answered', async () => {
  const server = await serverForTest('postgres')
  const calm = await server.newUser()
  const signUp = (number: number) => {
    const body = { name: 'Eve', email: `${number}@example.org`, password: 'a long enough password' }
    return server.call('POST /user/register', { body })
  }
  expect((await signUp(0)).status).toBe(200)
  const release = await lockRows(server, (db) => db.selectFrom('attempts').selectAll())
  const signUps = many(30, (index) => signUp(index + 1))
  await eventually(async () => (await onPostgres(server.url, locked)).length).toBeGreaterThan(0)
  await calm.addTask()
  expect(await calm.tasks()).toHaveLength(1)
  expect(await onPostgres(server.url, locked)).toHaveLength(1)
  await release()
  expect((await Promise.all(signUps)).map(({ status }) => status)).toEqual(signUps.map(() => 200))
})

test('connections of PostgreSQL are left for other networks while changes of one network hold the rest', async () => {
  const server = await serverForTest('postgres')
  await listen(server.app)
  const calm = await server.newUser()
  const busy = await Promise.all(many(25, server.newUser))
  const emails = busy.map(({ email }) => email)
  const release = await lockRows(server, (db) =>
    db.selectFrom('users').select('id').where('email', 'in', emails),
  )
  const adds = busy.map((user) => user.addTask())
  const connections = () => server.database.connections?.()
  // All changes have begun. Before, a change waits only for a moment, until a connection is open.
  await eventually(
    async () => (await onPostgres(server.url, locked)).length + (connections()?.waiting ?? 0),
  ).toBeGreaterThanOrEqual(busy.length)

  const visitor = await openRawClient(server.app, '127.0.0.5')
  const list = gets(`${apiBase}/list/getLatestTasks`, 1, bearer(calm))
  expect(await visitor.ask(list)).toEqual([200])
  expect(connections()?.waiting).toBeGreaterThan(0)
  await release()
  expect(await Promise.all(adds)).toHaveLength(25)
})

describe("one owner's writes that share a transaction of PostgreSQL", () => {
  const database = databaseForAll('postgres')
  let owner: string
  const sizes: number[] = []
  beforeEach(async () => {
    owner = await database.write((db) => addUser(db))
    sizes.length = 0
    listenTo(writeBatches.name, (message) => sizes.push((message as { size: number }).size))
  })

  test('are not affected by one that fails, and each has its own answer', async () => {
    const before = (await database.emails()).length
    const results = await Promise.allSettled([
      database.write((db) => addUser(db), owner),
      database.write(async (db) => {
        await addUser(db)
        throw new HttpError('changed-since')
      }, owner),
      database.write((db) => addUser(db, 'twice@example.org'), owner),
      database.write((db) => fail(db, '22P02'), owner),
      database.write((db) => addUser(db, 'last@example.org'), owner),
    ])
    const failed = results.map(({ status }) => status === 'rejected')
    expect(failed).toEqual([false, true, false, true, false])
    expect(results[1]).toMatchObject({ reason: { status: 409 } })
    expect(results[3]).toMatchObject({ reason: { code: '22P02' } })
    expect(await database.emails()).toHaveLength(before + 3)
    expect(sizes).toEqual([5])
  })

  test('are run again together after a conflict, and answered once', async () => {
    const before = (await database.emails()).length
    let runs = 0
    const writes = [1, 2, 3].map((number) =>
      database.write(async (db) => {
        await addUser(db)
        if (number === 2 && runs++ < 2) await fail(db, '40001')
        return number
      }, owner),
    )
    expect(await Promise.all(writes)).toEqual([1, 2, 3])
    expect(await database.emails()).toHaveLength(before + 3)
    expect(runs).toBe(3)
  })

  test("do not wait for another owner's", async () => {
    const another = await database.write((db) => addUser(db))
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>()
    const held = database.write(() => until, owner)
    await database.write((db) => addUser(db), another)
    goOn()
    await held
  })

  test('wait in a queue of bounded length, beyond which they are rejected with a 503 and Retry-After', async () => {
    const nothing = async () => {}
    const results = await Promise.allSettled(many(1100, () => database.write(nothing, owner)))
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(refused).toHaveLength(1100 - 1024)
    expect(refused[0]).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(Math.max(...sizes)).toBe(32)
    await database.write(nothing, owner)
  })
})

test.each([
  ['at the commit', 'each is told that it may or may not be stored', 'after', 'commit\0', 4],
  ['in the middle', 'none is stored', 'before', 'third@example.org', 0],
] as const)(
  "when a connection is lost %s of one owner's writes, each gets a 503, and %s",
  async (_where, _what, when, text, stored) => {
    const proxy = await startProxy(await migratedDatabase('postgres'))
    const database = await openTestDatabase(proxy.url)
    const owner = await database.write((db) => addUser(db))
    proxy.cut(when, text)
    const results = await Promise.allSettled(
      ['first', 'second', 'third', 'fourth'].map((name) =>
        database.write((db) => addUser(db, `${name}@example.org`), owner),
      ),
    )
    for (const result of results) {
      const { reason } = result as PromiseRejectedResult
      const { status, message } = database.explain(reason) ?? reason
      expect([status, /may or may not be stored/.test(String(message))]).toEqual([503, stored > 0])
    }
    expect(await database.emails()).toHaveLength(1 + stored)
    await database.close()
    proxy.close()
  },
)
