import { readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, onEveryEngine } from '../testing/engines.ts'
import { becomeEarlier, becomeLater, exampleMigrations } from '../testing/example-migrations.ts'
import { allRows } from '../testing/rows.ts'
import { runStatement } from '../testing/run-statement.ts'
import { startServer } from '../testing/server-process.ts'
import { ada, storedDatabase } from '../testing/stored-database.ts'
import { serverForTest } from '../testing/test-server.ts'
import { migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'

/** The migrations of this version. */
const known = Object.keys(migrations)
const [expanding = '', contracting = ''] = Object.keys(exampleMigrations)

function becomeLaterInTest() {
  becomeLater()
  onTestFinished(becomeEarlier)
}

const later = { NODE_OPTIONS: `--import=${new URL('../testing/later-version.ts', import.meta.url)}` }

const openAndClose = async (url: URL) => await (await openDatabase(url)).close()

const migrationsOf = async (url: URL) =>
  (await runStatement(url, 'select name from kysely_migration order by name')).map(({ name }) => name)

/** The rows of all users, without columns and tables that came later. */
async function storedRows(url: URL) {
  const database = await openDatabase(url)
  const { kysely_migration: _, timers: __, ...rows } = await allRows(database)
  await database.close()
  return Object.values(rows)
    .flat()
    .map((row) => JSON.stringify({ ...JSON.parse(row), estimate: undefined }))
    .sort()
}

onEveryEngine('migrations', (engine) => {
  test.each(['0.1.0'])('from %s to a later version keep all data, with many servers', async (version) => {
    const [url, original] = [await storedDatabase(engine, version), await storedDatabase(engine, version)]
    const rows = await storedRows(original)
    becomeLaterInTest()
    await Promise.all([openAndClose(url), openAndClose(url)])
    expect(await storedRows(url)).toEqual(rows)
    expect(await migrationsOf(url)).toContain(expanding)
    const server = await serverForTest(url)
    const user = server.as((await server.call('POST /user/login', { body: ada })).json.token)
    const titles = (await user.tasks()).map(({ title }) => title)
    expect(titles).toEqual(['After the edit', 'Später', 'Überfällig 😀'])
    const found = (await user.call('GET /search?q=uberfallig')).json
    expect(found).toMatchObject({ tasks: { length: 1 }, notes: { length: 1 } })
  })

  test('leave the database unchanged if one fails, and can be run again', async () => {
    const url = await emptyDatabase(engine)
    await runStatement(url, 'create table tasks (in_the_way text)')
    await expect(openDatabase(url)).rejects.toThrow(/tasks.*already exists/)
    await expect(runStatement(url, 'select * from users')).rejects.toThrow(/users/)
    await runStatement(url, 'drop table tasks')
    await openAndClose(url)
    expect(await runStatement(url, 'select * from users')).toEqual([])
  })
})

describe('migrations of a file', () => {
  test('are preceded by a copy of a database with data, which only its owner can read', async () => {
    const url = await storedDatabase('sqlite', '0.1.0')
    const rows = await storedRows(url)
    const copy = `${fileURLToPath(url)}.before-${expanding}`
    const copies = () => readdirSync(dirname(copy)).filter((name) => name.includes('before'))
    const earlier = copies()
    becomeLaterInTest()
    for (let start = 0; start < 2; start++) {
      await openAndClose(url)
      expect(statSync(copy).mode & 0o777).toBe(0o600)
      expect(await migrationsOf(pathToFileURL(copy))).toEqual(known)
    }
    expect(await migrationsOf(url)).toEqual([...known, expanding, contracting])
    expect(copies()).toEqual([...earlier, basename(copy)])
    becomeEarlier()
    expect(await storedRows(pathToFileURL(copy))).toEqual(rows)
  })

  test('of a large database may take long: a server that starts in the meantime waits', async () => {
    const url = await storedDatabase('sqlite', '0.1.0')
    const migrating = new DatabaseSync(fileURLToPath(url))
    migrating.exec('begin immediate')
    const opening = openDatabase(url)
    const waits = await Promise.race([opening, nextTurn('waits')])
    migrating.exec('rollback')
    expect(waits).toBe('waits')
    await (await opening).close()
  })

  test('that find no space say so, leave the database unchanged and its folder without unfinished files, and can be run again', async () => {
    const url = await storedDatabase('sqlite', '0.1.0')
    await openAndClose(url)
    await runStatement(
      url,
      `insert into tasks (user_id, id, version, title, due_date, priority, created_at, body)
          select (select user_id from accounts limit 1), printf('01a1fbec-df28-741d-85d9-%012d', number), 1, 'T', '2026-11-21', 1, 1, printf('%.*c', 1000, 'x')
          from (with recursive numbers(number) as (select 1 union all select number + 1 from numbers limit 3000)
            select number from numbers)`,
    )
    const [{ tasks } = {}] = await runStatement(url, 'select count(*) as tasks from tasks')
    const [path, blocks] = [fileURLToPath(url), statSync(fileURLToPath(url)).size / 512]
    const copy = `${path}.before-${expanding}`
    /** Starts a server whose files may have at most this part of the size of the database. */
    const startWith = (part: number) => {
      const limited = ['sh', '-c', `ulimit -f ${Math.round(part * blocks)}; exec "$0" "$@"`]
      return startServer({ DATABASE_URL: url.href, ...later }, limited)
    }
    const leftovers = () =>
      readdirSync(dirname(path)).filter((name) => !name.endsWith('-wal') && !name.endsWith('-shm'))
    const before = leftovers()

    await expect(startWith(0.25)).rejects.toThrow(/copying it to .* failed: disk I\/O error/)
    expect(leftovers()).toEqual(before)
    // The copy fits, and the rebuilt table does not.
    await expect(startWith(1.2)).rejects.toThrow(/disk I\/O error/)
    expect(leftovers()).toEqual(before)
    expect(await migrationsOf(url)).toEqual(known)
    becomeLaterInTest()
    await openAndClose(url)
    expect(leftovers()).toContain(basename(copy))
    expect(await runStatement(url, 'select count(*) as tasks from tasks')).toEqual([{ tasks }])
  })
})
