import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { emptyDatabase, onEveryEngine, onPostgres } from '../testing/engines.ts'
import { becomeEarlier, becomeLater, exampleMigrations } from '../testing/example-migrations.ts'
import { connectForTest, untilFound, waitingForLock } from '../testing/postgres-queries.ts'
import { expectRefused, runProgram } from '../testing/run-program.ts'
import { runStatement } from '../testing/run-statement.ts'
import { runServer } from '../testing/server-process.ts'
import { storedDatabase } from '../testing/stored-database.ts'
import { migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const insertMigration = (name: string) =>
  `insert into kysely_migration (name, timestamp) values ('${name}', '2100-01-01')`
const withoutMigrating = readConfig({ MIGRATE: 'off' }).database

const close = async (opening: ReturnType<typeof openDatabase>) => (await opening).close()

onEveryEngine('the schema', (engine) => {
  test('is created by npm run migrate, and a server with MIGRATE=off starts only after that', async () => {
    const url = await emptyDatabase(engine)
    const environment = { DATABASE_URL: url.href, MIGRATE: 'off' }
    const refused = /^MIGRATE=off: the schema .* is older .*run "npm run migrate"$/
    expectRefused(await runServer(environment), refused)
    const migrated = await runProgram('database/migrate-command.ts', [], environment)
    const stdout = 'The database has the schema of this version.\n'
    expect(migrated).toEqual({ code: 0, stdout, stderr: '' })
    await close(openDatabase(url, withoutMigrating))
  })

  test.each([
    ['has later migrations', insertMigration('999-later')],
    ['has others than this version knows', `update kysely_migration set name = '999-' || name`],
  ])('of a newer version, which %s, is rejected, whatever the server may do', async (_title, later) => {
    const url = await emptyDatabase(engine)
    await close(openDatabase(url))
    await runStatement(url, later)
    const newer =
      /^DATABASE_URL: the schema of the database is newer than this version \(it has the migration 999-[\w-]+, and the last one that this version knows is \d{3}-[a-z-]+\)/
    for (const options of [undefined, withoutMigrating])
      await expect(openDatabase(url, options)).rejects.toThrow(newer)
  })
})

test('of an SQLite file that a later version has expanded is rejected, because one server uses the file', async () => {
  const url = await emptyDatabase('sqlite')
  const database = await openDatabase(url)
  await runStatement(url, insertMigration('999-expand-later'))
  await expect(database.probe()).rejects.toThrow('has the migration 999-expand-later')
  await database.close()
  for (const options of [undefined, withoutMigrating])
    await expect(openDatabase(url, options)).rejects.toThrow('has the migration 999-expand-later')
})

test('npm run migrate creates no file unless DATABASE_URL is set', async () => {
  const folder = dirname(fileURLToPath(await emptyDatabase('sqlite')))
  const command = join(import.meta.dirname, 'migrate-command.ts')
  const path = join(folder, 'data/daymark.sqlite')
  const env = { DATABASE_URL: ' ' }
  const migrating = promisify(execFile)(process.execPath, [command], { cwd: folder, env })
  await expect(migrating).rejects.toMatchObject({
    stderr: `DATABASE_URL is not set, and there is no database at ${path}\n`,
  })
  expect(readdirSync(folder)).toEqual([])
})

describe('on PostgreSQL, a migration', () => {
  const concurrentIndexes = Object.values(exampleMigrations).flatMap(({ indexes = [] }) => indexes)
  beforeAll(becomeLater)
  afterAll(becomeEarlier)
  const indexes = async (url: URL) => {
    const names = concurrentIndexes.map(({ name }) => `'${name}'::regclass`)
    const found = `select indexrelid::regclass::text as name, indisvalid as valid, indexrelid::int as id
      from pg_index where indexrelid in (${names}) order by indexrelid`
    return (await onPostgres(url, found)) as { name: string; valid: boolean; id: number }[]
  }
  const allValid = concurrentIndexes.map(({ name }) => ({ name, valid: true }))

  /** Starts to open a database whose schema is older, while another program reads a table that it has to change. */
  async function openWhileUsed() {
    const url = await storedDatabase('postgres', '0.1.0')
    const reader = await connectForTest(url)
    await reader.query('begin; select 1 from tasks')
    const opening = openDatabase(url)
    await untilFound(url, waitingForLock)
    return { url, opening, reader }
  }

  test('has no time limit for its statements, whatever the database has', async () => {
    const url = await emptyDatabase('postgres')
    await onPostgres(url, `alter database ${url.pathname.slice(1)} set statement_timeout = 1`)
    await close(openDatabase(url))
    await close(openDatabase(url, withoutMigrating))
  })

  test('builds its indexes once, however many servers start, and again if a build was interrupted', async () => {
    const url = await emptyDatabase('postgres')
    const openThree = () => Promise.all([1, 2, 3].map(() => close(openDatabase(url))))
    await openThree()
    const built = await indexes(url)
    expect(built).toMatchObject(allValid)
    await openThree()
    expect(await indexes(url)).toEqual(built)

    // An interrupted build leaves an invalid index, and the indexes after it are missing.
    const [first, , ...later] = concurrentIndexes.map(({ name }) => name)
    await onPostgres(url, `update pg_index set indisvalid = false where indexrelid = '${first}'::regclass`)
    await onPostgres(url, `drop index ${later}`)
    await openThree()
    const rebuilt = await indexes(url)
    expect(rebuilt.toSorted(byName)).toMatchObject(allValid.toSorted(byName))
    const kept = rebuilt.filter(({ id }) => built.some((each) => each.id === id))
    expect(kept).toMatchObject([{ name: concurrentIndexes[1]?.name }])
  })

  test('that comes after a missing contraction is not applied at a start, which says how to continue', async () => {
    const url = await storedDatabase('postgres', '0.1.0')
    migrations['902-expand-more'] = {}
    onTestFinished(() => void delete migrations['902-expand-more'])
    await expect(openDatabase(url)).rejects.toThrow(
      'DATABASE_URL: the schema of the database is older than this version needs (it lacks 902-expand-more); stop all servers of earlier versions and run "npm run migrate -- --contract"',
    )
    await close(openDatabase(url, { ...readConfig({}).database, contract: true }))
    await close(openDatabase(url))
  })

  test('blocks others only briefly while it waits for a table, and continues when the table is free', async () => {
    const { url, opening, reader } = await openWhileUsed()
    expect(await onPostgres(url, 'select 1 from tasks limit 1')).toHaveLength(1)
    await reader.query('commit')
    await close(opening)
    await close(openDatabase(url, withoutMigrating))
  })

  test('is retried after a conflict, however long it waited for that of another server', async () => {
    const url = await storedDatabase('postgres', '0.1.0')
    await onPostgres(
      url,
      `create sequence migrated;
      create function fail_once() returns trigger language plpgsql as
        $$ begin if nextval('migrated') = 1 then raise sqlstate '40001'; end if; return new; end $$;
      create trigger fail_once before insert on kysely_migration for each row execute function fail_once()`,
    )
    const other = await connectForTest(url)
    await other.query('begin; select 1 from kysely_migration_lock for update')
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const opening = openDatabase(url)
    const ended = `select 1 from pg_stat_activity where datname = current_database() and query = 'rollback'`
    await untilFound(url, ended)
    vi.advanceTimersByTime(60_000)
    // The attempt that was under way at that moment has no time left; the one after it has.
    const [{ now }] = (await onPostgres(url, 'select clock_timestamp()::text as now')) as [{ now: string }]
    const later = `${ended} and query_start > '${now}'`
    await untilFound(url, later)
    await other.query('commit')
    await close(opening)
    const retried = await onPostgres(url, 'select last_value from migrated where last_value > 1')
    expect(retried).toHaveLength(1)
  })

  test('gives up after a minute of waiting for a table, with an error that says why', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { url, opening } = await openWhileUsed()
    vi.advanceTimersByTime(60_000)
    await expect(opening).rejects.toThrow('cannot be changed while other programs use its tables')
    await expect(openDatabase(url, withoutMigrating)).rejects.toThrow('older')
  })
})

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
