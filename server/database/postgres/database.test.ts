import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase, onPostgres } from '../../testing/engines.ts'
import {
  addUser,
  countOf,
  databaseForAll,
  incrementCount,
  openTestDatabase,
} from '../../testing/open-test-database.ts'
import { endAllOthers, fail, watchQueries } from '../../testing/postgres-queries.ts'
import { FairQueue } from '../../turns/fair-queue.ts'
import { runAs, turn } from '../../turns/turns.ts'
import type { Db } from '../schema.ts'

const retryLater = { status: 503, headers: { 'retry-after': '1' } }

const database = databaseForAll('postgres')

/** The error of a write. */
const errorOf = (write: Promise<unknown>) => write.catch((reason: unknown) => reason)

/** Returns a function whose promises all resolve once it has been called that many times. */
function barrier(number: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return () => {
    if (--number === 0) resolve()
    return promise
  }
}

describe('a transaction', () => {
  test('waits for a turn after each result, but not to begin, nor to release its connection', async () => {
    const id = await database.write((db) => addUser(db))
    const waits = vi.spyOn(FairQueue.prototype, 'push')
    let isDone = false
    // Work that always waits, so that everything else has to wait too.
    const busy = async () => {
      while (!isDone) await turn()
    }
    for (const name of ['one', 'another']) runAs(['busy', name], busy)
    await new Promise(setImmediate)
    waits.mockClear()
    await database.write((db) => incrementCount(db, id))
    isDone = true
    const own = waits.mock.calls.filter(([[group]]) => group !== 'busy')
    waits.mockRestore()
    // One for a connection, and one for each of the two statements.
    expect(own).toHaveLength(1 + 2)
  })

  test('is begun in one round trip with its first statement, and fails if it cannot be begun', async () => {
    const events: string[] = []
    let failure: Error | undefined
    watchQueries(async (text, run) => {
      events.push(`sent ${text}`)
      const result = await run()
      events.push(`answered ${text}`)
      if (failure && text.startsWith('start transaction')) throw failure
      return result
    })
    const select = (db: Db) => sql`select 1`.execute(db)
    await database.write(select)
    const [begin, first] = ['start transaction isolation level read committed', 'select 1']
    expect(events).toEqual([
      ...[`sent ${begin}`, `sent ${first}`, `answered ${begin}`, `answered ${first}`],
      ...['sent commit', 'answered commit'],
    ])
    failure = new Error('forced')
    await expect(database.write(select)).rejects.toThrow('the database cannot be reached')
  })

  test('is retried after a conflict with another one that updates the same row, and no update is lost', async () => {
    const id = await database.write((db) => addUser(db))
    const bothHaveRead = barrier(2)
    let runs = 0
    const write = () =>
      database.write(async (db) => {
        runs++
        await sql`set transaction isolation level serializable`.execute(db)
        await countOf(db, id)
        await bothHaveRead()
        await incrementCount(db, id)
      })
    await Promise.all([write(), write()])
    expect(await countOf(database.read, id)).toBe(2)
    expect(runs).toBe(3)
  })

  test('is retried after a deadlock', async () => {
    const ids = [await database.write((db) => addUser(db)), await database.write((db) => addUser(db))]
    const bothHaveWritten = barrier(2)
    const write = (order: string[]) =>
      database.write(async (db) => {
        await sql`set local deadlock_timeout = '20ms'`.execute(db)
        for (const id of order) {
          // One statement: at 'read committed', a retry that read the number first could lose the other's increment.
          await sql`update users set task_count = task_count + 1 where id = ${id}`.execute(db)
          await bothHaveWritten()
        }
      })
    await Promise.all([write(ids), write(ids.toReversed())])
    expect(await Promise.all(ids.map((id) => countOf(database.read, id)))).toEqual([2, 2])
  })

  test.each(['40001', '40P01'])('that fails with the code %s is retried for two seconds', async (code) => {
    // The clock advances only when the test advances it, so the speed of the machine does not matter.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const before = (await database.emails()).length
    let runs = 0
    await database.write(async (db) => {
      await addUser(db)
      if (runs++ < 12) await fail(db, code)
    })
    expect(runs).toBe(13)
    expect(await database.emails()).toHaveLength(before + 1)

    runs = 0
    const hopeless = database.write((db) => {
      if (++runs === 4) vi.advanceTimersByTime(2000)
      return fail(db, code)
    })
    const error = await errorOf(hopeless)
    expect(runs).toBe(4)
    expect(database.explain(error)).toMatchObject(retryLater)
  })

  test.each(['23505', '22P02', '57014', '53100', 'P0001'])(
    'that fails with the code %s is not retried',
    async (code) => {
      let runs = 0
      const write = database.write((db) => {
        runs++
        return fail(db, code)
      })
      await expect(write).rejects.toMatchObject({ code })
      expect(runs).toBe(1)
    },
  )
})

describe('a commit that fails', () => {
  /** Opens a database in which inserting this email makes COMMIT, and no statement before it, fail with the code. */
  async function failingAtCommit(code: string) {
    const database = await openTestDatabase('postgres')
    onTestFinished(database.close)
    await onPostgres(
      database.url,
      `create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'forced' using errcode = '${code}'; end $$;
      create constraint trigger fail after insert on users deferrable initially deferred
        for each row when (new.email = 'fails@example.org') execute function fail()`,
    )
    let runs = 0
    const write = database.write((db) => {
      runs++
      return addUser(db, 'fails@example.org')
    })
    const error = await errorOf(write)
    return { error, runs, explained: database.explain(error) }
  }

  test.each(['40003', 'XX000', '08006', '57P01'])(
    'with the code %s is not retried, and the error says that the outcome is unknown',
    async (code) => {
      const { error, runs } = await failingAtCommit(code)
      const message = expect.stringContaining('may or may not be stored')
      expect([error, runs]).toMatchObject([{ ...retryLater, message }, 1])
    },
  )

  test('with the code of a violated constraint has changed nothing, as the database says', async () => {
    const { error, runs, explained } = await failingAtCommit('23505')
    expect([error, runs, explained]).toMatchObject([{ code: '23505' }, 1, undefined])
  })
})

test.each(['serializable', 'repeatable read'])(
  'reads and writes are read committed on a server whose default is %s',
  async (level) => {
    const url = await emptyDatabase('postgres')
    const setting = `set default_transaction_isolation = '${level}'`
    await onPostgres(url, `alter database ${url.pathname.slice(1)} ${setting}`)
    const database = await openTestDatabase(url)
    onTestFinished(database.close)
    const levelOf = async (db: Db) => (await sql`show transaction_isolation`.execute(db)).rows
    const { read, write } = database
    for (const rows of [await levelOf(read), await write(levelOf), await write(levelOf, 'an owner')])
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
  },
)

describe('the response to a database error', () => {
  test.each([
    ['53100', { status: 507, headers: {}, code: 'storage-full' }],
    ...['53300', '57014'].map((state) => [state, { ...retryLater, code: 'database-too-busy' }] as const),
    // With Citus, also the end of the coordinator's connection to a worker.
    ...['08000', '08006', '57P01', '57P03'].map(
      (state) => [state, { ...retryLater, code: 'database-partly-unreachable' }] as const,
    ),
    ['25006', { ...retryLater, code: 'database-read-only' }],
    ['25P03', { ...retryLater, code: 'database-unreachable' }],
    ['23505', undefined],
  ] as const)('with the code %s says what cannot be done', async (sqlState, expected) => {
    const error = await errorOf(database.write((db) => fail(db, sqlState)))
    const { status, headers, code } = database.explain(error) ?? {}
    expect(status && { status, headers, code }).toEqual(expected)
  })

  test('is a 503 after a statement has run for two seconds', async () => {
    const { read, close } = await openTestDatabase(database.url, { POSTGRES_STATEMENT_SECONDS: '2' })
    onTestFinished(close)
    const error = await errorOf(sql`select pg_sleep(30)`.execute(read))
    expect(database.explain(error)).toMatchObject(retryLater)
  })
})

describe('a connection that PostgreSQL closes', () => {
  test('during a transaction makes that transaction fail with a 503, and the next one succeeds', async () => {
    const before = await database.emails()
    const write = database.write(async (db) => {
      await addUser(db)
      await onPostgres(database.url, endAllOthers)
      await addUser(db)
    })
    const error = await errorOf(write)
    expect(database.explain(error)).toMatchObject(retryLater)
    await expect.poll(() => database.emails()).toEqual(before)
    expect(await database.write((db) => addUser(db))).toEqual(expect.any(String))
  })

  test('while it is idle is replaced', async () => {
    await Promise.all(Array.from({ length: 20 }, () => database.emails()))
    await onPostgres(database.url, endAllOthers)
    const all = () => Promise.allSettled(Array.from({ length: 20 }, () => database.emails()))
    const failed = async () => (await all()).filter(({ status }) => status === 'rejected')
    await expect.poll(failed).toEqual([])
  })
})
