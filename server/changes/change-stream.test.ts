import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { openDatabase } from '../database/open-database.ts'
import { measured } from '../measured.ts'
import { newId } from '../new-id.ts'
import { hashOf } from '../sessions/token.ts'
import { migratedDatabase } from '../testing/engines.ts'
import { openStream } from '../testing/open-stream.ts'
import { eventually, listen } from '../testing/raw-client.ts'
import { rounds } from '../testing/rounds.ts'
import type { TestClient } from '../testing/test-client.ts'
import { onEveryServer, serverForTest, type TestServer, type TestUser } from '../testing/test-server.ts'
import { cursorOf } from './change-log.ts'
import { createStreams } from './newest-cursors.ts'

const draft = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'low' }
const day = 86_400_000

const add = async ({ call }: TestServer, token: string) =>
  String((await call('POST /list/addTask', { token, body: draft })).headers['changes-cursor'])

/** Opens a stream and reads its first event. */
async function openAndRead(...where: Parameters<typeof openStream>) {
  const stream = await openStream(...where)
  return { ...stream, first: await stream.next() }
}

onEveryServer('the stream of changes', ({ server, user }) => {
  let origin: string
  beforeAll(async () => {
    origin = await listen(server.app)
  })

  const startAnother = async () => {
    const another = await serverForTest(server.url)
    return { another, anotherOrigin: await listen(another.app) }
  }

  test('sends the current cursor at once, and is neither cached nor buffered', async () => {
    const cursor = await add(server, user.token)
    const { first, status, headers } = await openAndRead(origin, user.token)
    expect([first, status]).toEqual([cursor, 200])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
  })

  test('sends the cursor of every kind of write, the same as the write’s response', async () => {
    const stream = await openAndRead(origin, user.token)
    const write = async (endpoint: string, body?: object) => {
      const { status, headers } = await user.call(endpoint, { body })
      expect(status).toBe(200)
      expect(await stream.next()).toBe(headers['changes-cursor'])
    }
    await write('POST /list/addTask', draft)
    const { _id } = (await user.tasks())[0] ?? {}
    await write(`PUT /list/updateTask/${_id}`, { ...draft, title: 'Edited' })
    await write('POST /changes', { changes: [{ mutation: _id, item: _id, set: { done: true } }] })
    await write('POST /changes/3/undo')
    await write(`DELETE /list/deleteTask/${_id}`)
  })

  test('sends nothing for a mutation that was sent again, or that is not remembered and changed nothing', async () => {
    const { _id } = await user.addTask()
    const again = { changes: [{ mutation: _id, item: _id, set: { done: false } }] }
    await user.call('POST /changes', { body: again })
    const stream = await openAndRead(origin, user.token)
    const cursor = stream.first
    expect((await user.call('POST /changes', { body: again })).json.cursor).toBe(cursor)
    const same = await user.editTask(_id, draft)
    expect(same.headers['changes-cursor']).toBe(cursor)
    const next = await add(server, user.token)
    expect(await stream.next()).toBe(next)
  })

  test('never sends a cursor of another user', async () => {
    const other = await server.newUser()
    const { another } = await startAnother()
    const [mine, theirs] = [await openAndRead(origin, user.token), await openAndRead(origin, other.token)]
    await add(server, other.token)
    const newest = await add(another, other.token)
    expect((await theirs.until(newest)).at(-1)).toBe(newest)
    const own = await add(another, user.token)
    expect(own).not.toBe(mine.first)
    expect(await mine.next()).toBe(own)
  })

  const update = (values: object) => (session: TestClient) =>
    server.database.write((db) =>
      db.updateTable('sessions').set(values).where('token_hash', '=', hashOf(session.token)).execute(),
    )
  const logOutElsewhere = async (token: string) =>
    (await startAnother()).another.call('POST /user/logout', { token })
  const passwords = () => ({ currentPassword: user.password, newPassword: 'another long enough password' })
  test.each<[string, (session: TestClient) => unknown]>([
    ['it logs out', ({ call }) => call('POST /user/logout')],
    ['it logs out at another server', ({ token }) => logOutElsewhere(token)],
    [
      'the password is changed elsewhere',
      () => user.call('POST /user/changePassword', { body: passwords() }),
    ],
    ['it is too old', update({ created_at: Date.now() - 366 * day })],
    ['it was not used for too long', update({ last_used_at: Date.now() - 91 * day })],
  ])('ends with its session, and no other one does, when %s', async (_, end) => {
    const ended = await user.newSession()
    const [kept, stream] = [await openAndRead(origin, user.token), await openAndRead(origin, ended.token)]
    await end(ended)
    expect(await stream.next()).toBeUndefined()
    expect((await openStream(origin, ended.token)).status).toBe(401)
    const cursor = await add(server, user.token)
    expect(await kept.next()).toBe(cursor)
  })

  test('sends no change that another server stored after the end of its session', async () => {
    const { token: ended } = await user.newSession()
    const [kept, stream] = [await openAndRead(origin, user.token), await openAndRead(origin, ended)]
    const cursor = await server.database.write(async (db) => {
      await db.deleteFrom('sessions').where('token_hash', '=', hashOf(ended)).execute()
      const users = db.updateTable('users').set((row) => ({ seq: row('seq', '+', 1), head: newId() }))
      const changed = users.where('email', '=', user.email).returning(['seq', 'head'])
      return cursorOf(await changed.executeTakeFirstOrThrow())
    })
    expect(await kept.next()).toBe(cursor)
    expect(await stream.next()).toBeUndefined()
  })

  test('ends when the account is closed', async () => {
    const stream = await openAndRead(origin, user.token)
    await user.call('POST /user/deleteAccount', { body: { password: user.password } })
    expect(await stream.next()).toBeUndefined()
    for (const endpoint of ['GET /changes/stream', 'GET /user/validate'])
      expect((await user.call(endpoint)).json.code).toBe('account-gone')
  })

  test('leaves nothing behind when hundreds of clients disconnect at any moment', async () => {
    for (let round = 0; round < rounds(10); round++)
      await Promise.all(
        Array.from({ length: 100 }, async (_, turns) => {
          const [controller, headers] = [new AbortController(), { authorization: `Bearer ${user.token}` }]
          const request = { headers, signal: controller.signal }
          const opened = fetch(`${origin}${apiBase}/changes/stream`, request).catch(() => {})
          for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
          controller.abort()
          await opened
        }),
      )
    const { streams, requests, connections } = server.app.load
    await eventually(() => [streams.count, requests.slots, connections.count]).toEqual([0, 0, 0])
    expect((await openAndRead(origin, user.token)).first).toBeDefined()
  })
})

test('a cursor is sent at once if its number is higher than that of the last one, and otherwise not', () => {
  const streams = createStreams()
  const sent: string[] = []
  const stream = { send: (cursor: string) => void sent.push(cursor), end: () => {} }
  const session = {
    ...{ userId: newId(), tokenHash: '', scope: 'session', name: '', seq: 8, head: newId() },
    ...{ stale: false, checkedAt: 0 },
  } as const
  streams.add(stream, session)
  const [ninth, tenth] = [`9.${newId()}`, `10.${newId()}`]
  for (const cursor of [ninth, tenth, ninth, tenth]) streams.announce(session.userId, cursor)
  expect(sent).toEqual([cursorOf(session), ninth, tenth])
})

test('a process searches for changes only while a stream is open, once for all streams', async () => {
  const server = await serverForTest('postgres')
  const user = await server.newUser()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const origin = await listen(server.app)
  const polls = vi.spyOn(server.database.read, 'selectFrom')
  const sessions = () => polls.mock.calls.filter(([table]) => String(table) === 'sessions').length
  // The next poll is due a second after the end of one.
  let ended = 0
  const onEnd = () => ended++
  measured.poll.subscribe(onEnd)
  onTestFinished(() => void measured.poll.unsubscribe(onEnd))

  const streams = [await openStream(origin, user.token), await openStream(origin, user.token)]
  const before = sessions()
  for (let second = 1; second <= 3; second++) {
    await vi.advanceTimersByTimeAsync(1000)
    await eventually(() => ended).toBe(second)
    expect(sessions() - before).toBe(second)
  }
  for (const stream of streams) stream.abort()
  await eventually(() => server.app.load.streams.count).toBe(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sessions() - before).toBe(3)
})

test('in a file, a process searches only after a commit of any process, and every 15 seconds for sessions that have expired', async () => {
  const url = await migratedDatabase('sqlite')
  const [server, other] = [await serverForTest(url), await openDatabase(url)]
  onTestFinished(() => other.close())
  const user = await server.newUser()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const origin = await listen(server.app)
  // A server that listens stores the keys of its messages.
  const keys = server.database.read.selectFrom('push').selectAll()
  await eventually(async () => (await keys.execute()).length).toBe(1)
  const stream = await openStream(origin, user.token)
  const polls = vi.spyOn(server.database.read, 'selectFrom')
  const sessionsSearched = async (seconds: number) => {
    polls.mockClear()
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      // The queries of a search take turns of the event loop.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    }
    return polls.mock.calls.filter(([table]) => String(table) === 'sessions').length
  }
  expect(await sessionsSearched(1)).toBe(1)
  expect(await sessionsSearched(5)).toBe(0)
  await other.write((db) => db.updateTable('users').set({ name: 'Another' }).execute())
  expect(await sessionsSearched(1)).toBe(1)
  expect(await sessionsSearched(14)).toBe(0)
  expect(await sessionsSearched(1)).toBe(1)
  // What it has read may be older than the last search.
  const second = await openStream(origin, user.token)
  expect(await sessionsSearched(1)).toBe(1)
  for (const each of [stream, second]) each.abort()
})

test('continues for users of one shard while the queries of another shard fail', async () => {
  const [url, away] = [await migratedDatabase('postgres'), new Set<string>()]
  const [writer, server] = [await serverForTest(url), await serverForTest(url)]
  const [ada, eve] = [await writer.newUser(), await writer.newUser()]
  const origin = await listen(server.app)
  const [ofAda, ofEve] = [await openAndRead(origin, ada.token), await openAndRead(origin, eve.token)]

  // Each user is on a shard of its own, and queries for a user of `away` fail.
  server.database.shardsOf = async (userIds) => new Map(userIds.map((userId) => [userId, userId]))
  server.database.read = server.database.read.withPlugin({
    transformQuery({ node }) {
      if ([...away].some((userId) => JSON.stringify(node).includes(userId))) throw new Error('no node')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const warn = vi.spyOn(server.app.log, 'warn')
  const withoutShardOf = async ({ id }: TestUser, stream: typeof ofAda, user: TestUser) => {
    away.clear()
    away.add(id)
    expect(await stream.until(await add(writer, user.token))).not.toContain(undefined)
  }
  await withoutShardOf(ada, ofEve, eve)
  await withoutShardOf(eve, ofAda, ada)
  expect(warn.mock.calls[0]).toEqual([{ reason: 'no node' }, expect.stringContaining('could not be read')])
})

test('API_RATE_LIMIT applies to opening a stream', async () => {
  const server = await serverForTest('sqlite', { API_RATE_LIMIT: '2/1h' })
  const user = await server.newUser()
  for (const status of [200, 200, 429]) expect((await user.call('GET /changes/stream')).status).toBe(status)
})
