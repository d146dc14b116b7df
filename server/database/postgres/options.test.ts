import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { emptyDatabase, onPostgres } from '../../testing/engines.ts'
import { startProxy } from '../../testing/tcp-proxy.ts'
import { runAs } from '../../turns/turns.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import type { Db } from '../schema.ts'

async function open(url: URL, environment: Record<string, string> = {}): Promise<Database> {
  const database = await openDatabase(url, readConfig(environment).database)
  onTestFinished(database.close)
  return database
}

async function newRole(url: URL, options = '') {
  const role = `role_${url.pathname.slice(6)}`
  await onPostgres(url, `create role ${role} login ${options} password 'password'`)
  return role
}

const settingOf = async (read: Db, name: string) => {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(read)
  return rows[0]?.value
}
const limitOf = ({ read }: Database) => settingOf(read, 'statement_timeout')

/** The statements that the only connection keeps prepared. */
const preparedBy = async ({ read }: Database) =>
  (await sql`select statement from pg_prepared_statements`.execute(read)).rows

const oneConnection = { POSTGRES_CONNECTIONS: '1' }

test('POSTGRES_CONNECTIONS is the maximum number of connections', async () => {
  const { read } = await open(await emptyDatabase('postgres'), { POSTGRES_CONNECTIONS: '3' })
  const call = sql<{ connection: number }>`select pg_backend_pid() as connection, pg_sleep(0.01)`
  const answers = await Promise.all(Array.from({ length: 30 }, () => call.execute(read)))
  expect(new Set(answers.map(({ rows }) => rows[0]?.connection)).size).toBe(3)
})

test('requests that have read something continue before new ones of their account begin, so that few hold what they have read', async () => {
  const { read } = await open(await emptyDatabase('postgres'), oneConnection)
  let [holding, most] = [0, 0]
  const requests = Array.from({ length: 10 }, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    runAs(['clients', 'one account'], async () => {
      await sql`select 1`.execute(read)
      most = Math.max(most, ++holding)
      for (let query = 0; query < 3; query++) await sql`select 1`.execute(read)
      holding--
      resolve()
    })
    return promise
  })
  await Promise.all(requests)
  // The next one begins when the connection is free for the moment before the first one asks for it again.
  expect(most).toBeLessThanOrEqual(2)
})

test('if PostgreSQL allows fewer connections, calls wait for those that are open', async () => {
  const url = await emptyDatabase('postgres')
  await (await openDatabase(url)).close()
  const role = await newRole(url, `connection limit 3`)
  await onPostgres(url, `grant select on all tables in schema public to ${role}`)
  url.username = role
  const { read } = await open(url, { MIGRATE: 'off', POSTGRES_CONNECTIONS: '20' })
  // The clock stands still, because calls wait for a limited time, and a busy machine is slow to reject connections.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const calls = Array.from({ length: 12 }, () => sql`select pg_sleep(0.002)`.execute(read))
  expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toEqual([])
})

test('a role that may not create tables gets an error that says so', async () => {
  const url = await emptyDatabase('postgres')
  url.username = await newRole(url)
  await expect(open(url)).rejects.toThrow('permission denied for schema public')
})

test('POSTGRES_STATEMENT_SECONDS is the limit of a statement, also where the database has another one', async () => {
  const url = await emptyDatabase('postgres')
  expect(await limitOf(await open(url))).toBe('2s')
  await onPostgres(url, `alter database ${url.pathname.slice(1)} set statement_timeout = '7s'`)
  expect(await limitOf(await open(url, { POSTGRES_STATEMENT_SECONDS: '1' }))).toBe('1s')
})

test('a transaction may be idle for ten seconds, except a snapshot, which a slow download pauses', async () => {
  const database = await open(await emptyDatabase('postgres'))
  const limit = (db: Db) => settingOf(db, 'idle_in_transaction_session_timeout')
  expect([await database.write(limit), await database.snapshot(limit)]).toEqual(['10s', '0'])
})

test('options in the URL are kept', async () => {
  const url = await emptyDatabase('postgres')
  url.searchParams.set('options', '-c work_mem=5MB')
  const database = await open(url)
  const { rows } = await sql`select current_setting('work_mem') as memory`.execute(database.read)
  expect([rows, await limitOf(database)]).toEqual([[{ memory: '5MB' }], '2s'])
})

test('behind a connection pooler that drops the settings, the server starts only if its role has them', async () => {
  const direct = await emptyDatabase('postgres')
  const role = await newRole(direct, 'superuser')
  const proxy = await startProxy(direct, { dropOptions: true })
  onTestFinished(proxy.close)
  proxy.url.username = role
  const remedy = `alter role "${role}" set statement_timeout = '2000'; alter role "${role}" set idle_in_transaction_session_timeout = '10000';`
  await expect(open(proxy.url)).rejects.toThrow(remedy)
  await onPostgres(direct, remedy)
  expect(await limitOf(await open(proxy.url))).toBe('2s')
})

test('POSTGRES_PREPARED=on keeps statements prepared, at most 256 per connection', async () => {
  const url = await emptyDatabase('postgres')
  const on = await open(url, { ...oneConnection, POSTGRES_PREPARED: 'on' })
  const user = (number: number) =>
    sql`select ${number}::int as ${sql.ref(`number_${number}`)}`.execute(on.read)
  for (const number of [1, 1, 2])
    expect((await user(number)).rows).toEqual([{ [`number_${number}`]: number }])
  expect(await preparedBy(on)).toHaveLength(2)
  for (let number = 0; number < 300; number++) await user(number)
  expect(await preparedBy(on)).toHaveLength(256)
  const off = await open(url, oneConnection)
  await sql`select ${1}::int`.execute(off.read)
  expect(await preparedBy(off)).toEqual([])
})

test('a prepared statement that is older than the schema is prepared again', async () => {
  const url = await emptyDatabase('postgres')
  const { read } = await open(url, { ...oneConnection, POSTGRES_PREPARED: 'on' })
  await onPostgres(url, 'create table reminders (id integer); insert into reminders values (1)')
  const reminders = async () => (await sql`select * from reminders where id = ${1}`.execute(read)).rows
  expect(await reminders()).toEqual([{ id: 1 }])
  await onPostgres(url, 'alter table reminders add column title text')
  await expect.poll(() => reminders().catch(() => undefined)).toEqual([{ id: 1, title: null }])
})
