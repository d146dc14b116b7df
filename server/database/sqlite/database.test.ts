import { chmodSync, existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HttpError } from '../../errors.ts'
import { emptyDatabase } from '../../testing/engines.ts'
import { addUser, countOf, openTestDatabase, type TestDatabase } from '../../testing/open-test-database.ts'
import { startServer } from '../../testing/server-process.ts'
import type { Db } from '../schema.ts'
import { writeBatches } from '../write-queue.ts'
import { walSizeLimit } from './connection.ts'
import { maxBatchSize } from './writer.ts'

let database: TestDatabase
/** A second connection to the file, as another program would have it. */
let other: DatabaseSync
beforeEach(async () => {
  const url = await emptyDatabase('sqlite')
  await (await openTestDatabase(url)).close()
  // The file is opened twice: settings that are stored per connection would be lost at the second start.
  database = await openTestDatabase(url)
  other = new DatabaseSync(fileURLToPath(url), { timeout: 0 })
})
afterEach(async () => {
  other.close()
  await database.close()
})

const isStored = (email: string) =>
  other.prepare('select 1 from users where email = ?').get(email) !== undefined

describe('opening a database', () => {
  test.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
  ])('sets %s = %s for reads and writes', async (name, expected) => {
    const read = async (db: Db) => (await sql`pragma ${sql.raw(name)}`.execute(db)).rows
    for (const rows of [await read(database.read), await database.write(read)])
      expect(rows).toEqual([{ [name]: expected }])
  })

  test('takes the access of everyone from a file that was copied there, and leaves that of a group', async () => {
    const url = await emptyDatabase('sqlite')
    const path = fileURLToPath(url)
    for (const before of [0o644, 0o666, 0o640, 0o600]) {
      await (await openTestDatabase(url)).close()
      chmodSync(path, before)
      const opened = await openTestDatabase(url)
      const modes = [path, `${path}-wal`, `${path}-shm`].map((file) => statSync(file).mode & 0o777)
      await opened.close()
      expect(modes).toEqual(Array(3).fill(before === 0o640 ? 0o640 : 0o600))
    }
  })

  test('creates strict tables, which reject values of another type', async () => {
    const tables = await database.read.introspection.getTables()
    const strict = other.prepare('select name from pragma_table_list where strict = 1').all()
    expect(strict.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort())
    await database.write((db) => addUser(db))
    const update = database.write((db) => sql`update users set task_count = 'many'`.execute(db))
    await expect(update).rejects.toThrow(/cannot store TEXT value/)
  })

  test('succeeds for three servers that start concurrently on an empty file', async () => {
    const DATABASE_URL = (await emptyDatabase('sqlite')).href
    const servers = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL })))
    const statuses = servers.map(async (server) => (await server.call('POST /user/logout')).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200])
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  })

  test('follows a close that has checkpointed and removed the WAL file', async () => {
    await database.write((db) => addUser(db))
    const log = `${fileURLToPath(database.url)}-wal`
    expect(existsSync(log)).toBe(true)
    other.close()
    await database.close()
    expect(existsSync(log)).toBe(false)
    database = await openTestDatabase(database.url)
    other = new DatabaseSync(fileURLToPath(database.url))
  })
})

describe('writes that arrive in one turn of the event loop', () => {
  // A transaction ends after 25 ms, which a busy machine would reach.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  const add = (number: number) => `${number}@example.org`
  const writeMany = (count: number, then?: (email: string) => void) =>
    Array.from({ length: count }, async (_, number) => {
      await database.write((db) => addUser(db, add(number)))
      then?.(add(number))
    })

  test('share a transaction, up to the maximum batch size', async () => {
    const sizes: number[] = []
    const record = (message: unknown) => sizes.push((message as { size: number }).size)
    writeBatches.subscribe(record)
    await Promise.all(writeMany(2 * maxBatchSize + 10))
    writeBatches.unsubscribe(record)
    expect(sizes).toEqual([maxBatchSize, maxBatchSize, 10])
  })

  test('are acknowledged only after the commit', async () => {
    const answered: boolean[] = []
    await Promise.all(writeMany(60, (email) => answered.push(isStored(email))))
    expect(answered).toEqual(Array(60).fill(true))
  })

  test('are all rolled back if the commit fails, and later writes succeed', async () => {
    const breaksAtCommit = async (db: Db) => {
      await sql`pragma defer_foreign_keys = on`.execute(db)
      const session = { token_hash: '', user_id: 'nobody', created_at: 0, last_used_at: 0 }
      await db.insertInto('sessions').values(session).execute()
    }
    const results = await Promise.allSettled([database.write(breaksAtCommit), ...writeMany(10)])
    expect(results).toMatchObject(Array(11).fill({ status: 'rejected' }))
    expect(await database.emails()).toEqual([])
    await Promise.all(writeMany(10))
    expect(await database.emails()).toHaveLength(10)
  })

  test('wait in a bounded queue, and further writes are rejected with a 503 and Retry-After', async () => {
    const id = await database.write((db) => addUser(db))
    const addOne = (db: Db) => sql`update users set task_count = task_count + 1 where id = ${id}`.execute(db)
    const results = await Promise.allSettled(Array.from({ length: 5000 }, () => database.write(addOne)))
    const rejected = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
    expect(rejected).toHaveLength(5000 - 4096)
    for (const error of rejected) expect(error).toBeInstanceOf(HttpError)
    expect(rejected[0]).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(await countOf(database.read, id)).toBe(4096)
  })
})

describe('while another program holds the write lock', () => {
  test('reads succeed, and a write waits for the lock', async () => {
    other.exec('begin immediate')
    const write = database.write((db) => addUser(db, 'patient@example.org'))
    expect(await database.emails()).toEqual([])
    // Long enough for a write to finish if nothing blocks it.
    const turns = async () => {
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
      return 'still waiting'
    }
    expect(await Promise.race([write, turns()])).toBe('still waiting')
    other.exec('commit')
    await write
    expect(await database.emails()).toEqual(['patient@example.org'])
  })

  test('a write that waits too long is rejected with a 503 and Retry-After, and the next one succeeds', async () => {
    other.exec('begin immediate')
    const writes = [1, 2].map(() => database.write((db) => addUser(db)).catch((error: unknown) => error))
    for (const error of await Promise.all(writes))
      expect(database.explain(error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    other.exec('rollback')
    expect(await database.emails()).toEqual([])
    await database.write((db) => addUser(db, 'later@example.org'))
    expect(await database.emails()).toEqual(['later@example.org'])
  })
})

test('a WAL that a commit of another server truncates to the size limit stops no write', async () => {
  const log = `${fileURLToPath(database.url)}-wal`
  other.exec(`pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${walSizeLimit}`)
  other.exec(`create table large (bytes blob); insert into large values (zeroblob(${walSizeLimit}))`)
  await database.write((db) => addUser(db, 'before@example.org'))
  other.exec('pragma wal_checkpoint(passive)')
  expect(database.fault()).toBeUndefined()
  const size = statSync(log).size
  // Returns to the beginning of the WAL, because all of it is in the file.
  other.exec('delete from large')
  expect(statSync(log).size).toBeLessThan(size)
  expect(database.fault()).toBeUndefined()
  await database.write((db) => addUser(db, 'after@example.org'))
  expect(await database.emails()).toEqual(['after@example.org', 'before@example.org'])
})
