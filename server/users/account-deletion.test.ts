import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noteLength } from '#contract/limits.ts'
import { copyDatabase } from '../copying/copy-database.ts'
import type { Database } from '../database/database.ts'
import { bytesPerRemoval, rowsPerRemoval } from '../database/removals.ts'
import type { Schema } from '../database/schema.ts'
import { newId } from '../new-id.ts'
import { insertTask } from '../tasks/task-writes.ts'
import { type Engine, migratedDatabase, onEveryEngine } from '../testing/engines.ts'
import { listen } from '../testing/raw-client.ts'
import { allRows } from '../testing/rows.ts'
import { rowsChangedByWrites } from '../testing/rows-changed.ts'
import { insertRows } from '../testing/stored-rows.ts'
import { serverForTest, startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'
import { closeAccount, deleteClosedAccounts } from './account-deletion.ts'

const many = 2 * rowsPerRemoval + 200

onEveryEngine('deleting an account', (engine) => {
  const start = (where: Engine | URL = engine, environment = {}) => serverForTest(where, environment)
  const deleteAccount = (user: TestUser) =>
    user.call('POST /user/deleteAccount', { body: { password: user.password } })

  test('of any size deletes a bounded number of rows in a transaction, one transaction after the other', async () => {
    const server = await start()
    const users = [await largeAccount(server), await largeAccount(server)]
    const changed = rowsChangedByWrites(engine, server.database)
    const answers = await Promise.all(users.map(deleteAccount))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(users.map(() => [200, '{}']))
    await expect.poll(() => allRows(server.database)).toMatchObject(nothing)
    expect(Math.max(...changed)).toBe(rowsPerRemoval)
  })

  // On SQLite a second server only begins its transaction when the first has ended its own.
  if (engine === 'postgres')
    test('by two servers at once deletes a bounded number of rows in a transaction', async () => {
      const url = await migratedDatabase(engine)
      const [one, two] = [await start(url), await start(url)]
      await leftBehind(one)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
      const deleting = deletePartOnly(one.database, () => {
        lock()
        return released
      })
      await locked
      const changed = rowsChangedByWrites(engine, two.database)
      await listen(two.app)
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waiting.execute(one.database.read)).rows).toHaveLength(1)
      release()
      await deleting
      await expect.poll(() => allRows(one.database)).toMatchObject(nothing)
      expect(Math.max(...changed)).toBe(rowsPerRemoval)
    })

  test('leaves nothing that identifies or signs in the person, and no task that can be read, from the answer on', async () => {
    const server = await start()
    const user = await leftBehind(server)
    const stored = JSON.stringify(await allRows(server.database))
    for (const personal of [user.email, 'Ada', 'argon2']) expect(stored).not.toContain(personal)

    const draft = { title: 'Late', dueDate: '2026-11-21', priority: 'low' } as const
    const onItsWay = server.database.write((db) =>
      insertTask(db, { userId: user.id, device: '', by: '' }, draft, { quota: 1000, now: Date.now() }),
    )
    await expect(onItsWay).rejects.toMatchObject({ status: 401 })
    expect(await user.isValid()).toBe(false)
    expect((await user.call('POST /list/addTask', { body: draft })).status).toBe(401)
    expect((await server.call('POST /user/login', { body: user })).status).toBe(401)

    const again = await server.call('POST /user/register', { body: { ...user, name: 'Ada' } })
    const { token } = again.json
    expect((await server.call('GET /list/getLatestTasks', { token })).json).toEqual({ lists: [] })
    await listen(server.app)
    await expect.poll(async () => (await allRows(server.database)).users).toHaveLength(1)
    expect((await server.call('GET /user/validate', { token })).status).toBe(200)
  })

  test('with long texts deletes a bounded number of bytes in a transaction', async () => {
    const server = await start()
    const user = await server.newUser()
    const user_id = user.id
    const text = '😀'.repeat(noteLength.max)
    for (let seq = 0; seq < 50; seq++) {
      const version = { user_id, seq, note_id: newId(), at: seq, device: '', by: '', thinned: 0, text }
      await insertRows(server.database, 'versions', [version])
    }
    await server.database.write((db) => closeAccount(db, user_id, Date.now()))
    await deletePartOnly(server.database)
    const fitting = Math.floor(bytesPerRemoval / Buffer.byteLength(text))
    expect((await allRows(server.database)).versions).toHaveLength(50 - fitting)
    await deleteClosedAccounts(server.database, new AbortController().signal)
    expect(await allRows(server.database)).toMatchObject(nothing)
  })

  test('does not delay a stop, and is completed after the next start', async () => {
    const url = await migratedDatabase(engine)
    const first = await startTestServer(url)
    const user = await largeAccount(first)
    await deleteAccount(user)
    await first.close()
    const next = await start(url)
    await listen(next.app)
    await expect.poll(() => allRows(next.database)).toMatchObject(nothing)
  })

  test('that fails is tried again within the hour', async () => {
    const server = await start()
    await leftBehind(server)
    const failing = vi.spyOn(server.database, 'write').mockRejectedValue(new Error('the disk is on fire'))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await listen(server.app)
    await vi.waitFor(() => expect(failing).toHaveBeenCalled(), { timeout: 60_000 })
    failing.mockRestore()
    expect((await allRows(server.database)).tasks).toHaveLength(many)
    vi.advanceTimersByTime(3_600_000)
    vi.useRealTimers()
    await expect.poll(() => allRows(server.database)).toMatchObject(nothing)
  })

  test('is completed in the database that a half-deleted account was moved to', async () => {
    const from = await start()
    await leftBehind(from)
    await deletePartOnly(from.database)
    const to = await start(engine === 'sqlite' ? 'postgres' : 'sqlite')
    await copyDatabase(from.database, to.database, 'the old one', () => {})
    expect((await allRows(to.database)).tasks).toHaveLength(many - rowsPerRemoval)
    await listen(to.app)
    await expect.poll(() => allRows(to.database)).toMatchObject(nothing)
  })

  test('of the only user lets a server with REGISTRATION=first-user accept a first user', async () => {
    const url = await migratedDatabase(engine)
    await leftBehind(await start(url))
    const server = await start(url, { REGISTRATION: 'first-user' })
    const body = { name: 'Bea', email: 'bea@example.org', password: 'a long enough password' }
    expect((await server.call('POST /user/register', { body })).status).toBe(200)
  })
})

const nothing = { users: [], accounts: [], sessions: [], tasks: [], notes: [], versions: [], changes: [] }

async function largeAccount(server: TestServer): Promise<TestUser> {
  const user = await server.newUser()
  const user_id = user.id
  const tasks = Array.from({ length: many }, (_, index) => ({
    ...{ user_id, id: newId(), version: 0, title: `Task ${index}`, body: '' },
    ...{ due_date: '2026-11-21', priority: 1, created_at: index },
  }))
  const note = {
    ...{ user_id, id: newId(), text: 'Note', title: 'Note', snippet: '', folded: 'note\nnote', version: 1 },
    ...{ pinned: 0, created_at: 1, changed_at: 1, version_since: 1 },
    ...{ saved_seq: many, saved_by: '', saved_by_name: '' },
  }
  const version = { user_id, note_id: note.id, device: '', by: '', thinned: 0, text: 'Earlier' }
  const versions = Array.from({ length: many }, (_, seq) => ({ ...version, seq, at: seq }))
  for (const [table, rows] of Object.entries({ tasks, notes: [note], versions }))
    await insertRows(server.database, table as keyof Schema, rows)
  return user
}

/** An account as a server leaves it that crashes after it has answered that the account is deleted. */
async function leftBehind(server: TestServer): Promise<TestUser> {
  const user = await largeAccount(server)
  await server.database.write((db) => closeAccount(db, user.id, Date.now()))
  return user
}

/** Deletes the first part alone, and commits that after `beforeCommit`. */
async function deletePartOnly(database: Database, beforeCommit = () => Promise.resolve()) {
  const stop = new AbortController()
  const write: Database['write'] = (work) => {
    stop.abort()
    return database.write(async (db) => {
      const result = await work(db)
      await beforeCommit()
      return result
    })
  }
  await deleteClosedAccounts({ ...database, write }, stop.signal)
}
