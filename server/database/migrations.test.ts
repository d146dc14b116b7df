import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, parse } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { type Engine, emptyDatabase, onEveryEngine, onPostgres } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { startServer } from '../testing/server-process.ts'
import { startTestServer } from '../testing/test-server.ts'
import { type ColumnTypes, postgresTypes, sqliteTypes } from './column-types.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import type { Db } from './schema.ts'

type Step = Record<'up' | 'down', (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>>

const folder = join(import.meta.dirname, 'migrations')
const steps = readdirSync(folder)
  .map((file) => parse(file).name)
  .sort()
const typesOf = { sqlite: sqliteTypes, postgres: postgresTypes }

const ada = {
  email: 'ada@example.org',
  password: 'a long enough password',
  token: 'x'.repeat(43),
  id: '01a1fbec-df28-741d-85d9-08c2d1fcac18',
}
const closedId = '01a1fbec-df28-741d-85d9-08c2d1fcac17'
const now = Date.now()
const task = {
  user_id: ada.id,
  title: 'Überfällig 😀',
  body: 'one\ntwo',
  due_date: '2020-02-29',
  created_at: now,
}

const user = {
  id: ada.id,
  name: 'Ada',
  email: ada.email,
  password_hash:
    '$argon2id$v=19$m=19456,t=2,p=1$S21jkSPu0v9ZVNa9oHQmnw$S3DBp5g0BoMcewr1D/K1DhPANa0y+HjC9sAGh/LJH2o',
  created_at: now,
  task_count: 2,
  tasks_version: '01a1fbec-df28-741d-85d9-08c2d1fcac19',
}
/** Every later migration keeps this; the version became the id of the newest change. */
const { tasks_version: head, ...kept } = user
const tasks = [
  { ...task, id: '01a1fbec-df28-741d-85d9-08c2d1fcac20', priority: 1 },
  { ...task, id: '01a1fbec-df28-741d-85d9-08c2d1fcac21', priority: 3 },
]
const notDone = { done_at: null, deleted_at: null }
/** The size of the titles and bodies of both tasks. */
const storedBytes = 2 * Buffer.byteLength(task.title + task.body)

/** For each migration, rows in the tables that it created or changed. */
const rowsAfter: Record<string, Record<string, object[]>> = {
  '001-users-sessions-tasks': {
    users: [user],
    sessions: [
      {
        token_hash: createHash('sha256').update(ada.token).digest('hex'),
        user_id: ada.id,
        created_at: now,
        last_used_at: now,
      },
    ],
    tasks,
  },
  '002-attempts': {
    attempts: [{ key: 'f'.repeat(64), count: 3, since: now, last_at: now }],
  },
  '003-stored-bytes': {
    users: [{ ...user, stored_bytes: storedBytes }],
  },
  '004-closed-accounts': {
    users: [{ ...user, stored_bytes: storedBytes, closed_at: null }],
  },
  '005-change-log': {
    users: [{ ...kept, seq: 0, head, stored_bytes: storedBytes, trim_at: now, closed_at: null }],
    accounts: [{ email: ada.email, user_id: ada.id }],
    changes: [
      {
        ...{ user_id: ada.id, seq: 0, id: head, at: now, device: '', kind: 'start' },
        ...{ item: null, mutation: null, group_id: null, undoes: null, fields: '', before: null },
      },
    ],
    tasks: tasks.map((each) => ({ ...each, ...notDone, version: 0 })),
  },
  '006-sweep-indexes': {},
  '007-done-tasks': {},
  '008-folded-texts': {
    tasks: tasks.map((each) => ({ ...each, ...notDone, version: 0, folded: 'uberfallig 😀\none\ntwo' })),
  },
  '009-notes': {
    notes: [
      {
        ...{ user_id: ada.id, id: '01a1fbec-df28-741d-85d9-08c2d1fcac22', version: 2, pinned: 1 },
        ...{ created_at: now, changed_at: now, deleted_at: null, saved_seq: 2, saved_by: 'f'.repeat(32) },
        ...{ version_since: now, title: 'Überfällig 😀', snippet: 'two', text: '# Überfällig 😀\n\ntwo' },
        folded: 'uberfallig 😀\n# uberfallig 😀\n\ntwo',
      },
    ],
    versions: [
      {
        ...{ user_id: ada.id, seq: 1, note_id: '01a1fbec-df28-741d-85d9-08c2d1fcac22', at: now },
        ...{ device: 'f'.repeat(32), thinned: 2, text: '😀' },
      },
    ],
  },
  '010-deleted-tasks': {},
  '011-settings': {
    users: [
      {
        ...{ ...kept, seq: 0, head, stored_bytes: storedBytes, trim_at: now, closed_at: null },
        settings: '{"theme":"dark"}',
      },
    ],
  },
  '012-creations-unindexed': {
    changes: [
      {
        ...{ user_id: ada.id, seq: 0, id: head, at: now, device: '', kind: 'start', previous: null },
        ...{ item: null, mutation: null, group_id: null, undoes: null, fields: '', before: null },
      },
    ],
  },
}

onEveryEngine('migrations', (engine) => {
  /** Migrates an empty database to the version before the change log and adds a user. */
  async function migrateToVersion4(db: Parameters<typeof migrate>[0]) {
    await migrate(db, typesOf[engine], '004-closed-accounts')
    const old = db as unknown as Kysely<Record<string, object>>
    await old
      .insertInto('users')
      .values([{ ...user, stored_bytes: storedBytes, closed_at: null }])
      .execute()
    return old
  }

  test('each has test rows in this file', () => {
    expect(Object.keys(rowsAfter)).toEqual(steps)
  })

  test.each(steps)('from %s to the newest keep all data', async (step) => {
    const taken = steps.slice(0, steps.indexOf(step) + 1)
    const rows: Record<string, object[]> = Object.assign({}, ...taken.map((name) => rowsAfter[name]))
    const url = await databaseWith(engine, async (db) => {
      await migrate(db, typesOf[engine], step)
      for (const [table, values] of Object.entries(rows)) {
        await (db as unknown as Kysely<Record<string, object>>).insertInto(table).values(values).execute()
      }
    })

    const server = await startTestServer(url)
    const stored = await allRows(server.database)
    for (const [table, values] of Object.entries({ ...rows, users: [{ ...kept, seq: 0, head }] })) {
      const found = stored[table]?.map((row) => JSON.parse(row))
      expect(found).toEqual(values.map((value) => expect.objectContaining(value)))
    }
    expect(stored.accounts?.map((row) => JSON.parse(row))).toEqual([{ email: ada.email, user_id: ada.id }])
    expect(stored.changes?.map((row) => JSON.parse(row))).toMatchObject([
      { user_id: ada.id, seq: 0, id: head, kind: 'start' },
    ])
    expect(stored.users?.map((row) => JSON.parse(row).stored_bytes)).toEqual([storedBytes])
    const { lists } = (await server.call('GET /list/getTodayTasks', ada)).json
    expect(lists.map(({ title, priority }) => [title, priority])).toEqual([
      [task.title, 'high'],
      [task.title, 'low'],
    ])
    const found = await server.call('GET /search?q=uberfallig%20TWO', ada)
    expect(found.json.tasks).toHaveLength(tasks.length)
    expect((await server.call('POST /user/login', { body: ada })).status).toBe(200)
    await server.close()
  })

  test('fold the texts of all tasks, of which there are more than one batch', async () => {
    const many = Array.from({ length: 130 }, (_, number) => ({
      ...{ ...task, ...notDone, id: randomUUID(), priority: 1, version: 0, body: 'ß'.repeat(number * 100) },
      title: `Übung ${number}`,
    }))
    const url = await databaseWith(engine, async (db) => {
      await migrate(db, typesOf[engine], '007-done-tasks')
      const old = db as unknown as Kysely<Record<string, object>>
      await old
        .insertInto('users')
        .values(rowsAfter['005-change-log']?.users ?? [])
        .execute()
      await old.insertInto('tasks').values(many).execute()
    })
    const database = await openDatabase(url)
    const stored = await database.read.selectFrom('tasks').select(['title', 'folded']).execute()
    const folded = many.map(({ title, body }, number) => [
      title,
      `ubung ${number}\n${'ss'.repeat(body.length)}`,
    ])
    expect(stored.map((row) => [row.title, row.folded]).sort()).toEqual(folded.sort())
    await database.close()
  })

  test('to the change log are applied once, even if servers start at the same time, and make every statement of the previous version fail', async () => {
    const url = await databaseWith(engine, async (db) => {
      const old = await migrateToVersion4(db)
      const closed = { ...user, id: closedId, email: closedId, name: '', closed_at: now, task_count: 0 }
      await old
        .insertInto('users')
        .values([{ ...closed, stored_bytes: 0 }])
        .execute()
      await old
        .insertInto('sessions')
        .values(rowsAfter['001-users-sessions-tasks']?.sessions ?? [])
        .execute()
      await old.insertInto('tasks').values(tasks).execute()
    })
    const start = () => startTestServer(url)
    const servers = await Promise.all([start(), start()])
    for (const server of servers) {
      const { lists } = (await server.call('GET /list/getLatestTasks', ada)).json
      expect(lists.map(({ version }) => version)).toEqual([0, 0])
    }
    const [{ database, call }] = servers
    expect((await allRows(database)).accounts).toHaveLength(1)
    expect((await allRows(database)).changes).toHaveLength(2)

    // Every statement of that version that reads a session or writes a task names a column that no longer exists.
    const before = await allRows(database)
    for (const statement of [
      `select sessions.user_id, users.tasks_version from sessions inner join users on users.id = sessions.user_id`,
      `update users set task_count = task_count + 1, stored_bytes = stored_bytes + 1, tasks_version = id`,
    ])
      await expect(run(url, statement)).rejects.toThrow(/tasks_version/)
    expect(await allRows(database)).toEqual(before)

    const { status, json } = await call(`DELETE /list/deleteTask/${tasks[0]?.id}`, ada)
    expect([status, (await call('POST /changes/1/undo', ada)).json.results?.length]).toEqual([200, 1])
    expect(json).toEqual({})
    for (const server of servers) await server.close()
  })

  if (engine === 'postgres')
    test('keep what a server of the previous version commits while they wait for its transaction', async () => {
      const url = await databaseWith(engine, async (db) => {
        await migrate(db, typesOf[engine], '004-closed-accounts')
        await (db as unknown as Kysely<Record<string, object>>)
          .insertInto('users')
          .values([{ ...user, stored_bytes: storedBytes, closed_at: null }])
          .execute()
      })
      const old = new pg.Client({ connectionString: url.href })
      await old.connect()
      await old.query('begin')
      for (const { user_id, id, title, body, due_date, priority, created_at } of tasks)
        await old.query(
          'insert into tasks (user_id, id, title, body, due_date, priority, created_at) values ($1, $2, $3, $4, $5, $6, $7)',
          [user_id, id, title, body, due_date, priority, created_at],
        )
      const opening = openDatabase(url)
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await onPostgres(url, waiting)).toHaveLength(1), {
        timeout: 60_000,
      })
      await old.query('commit')
      await old.end()
      const database = await opening
      expect((await allRows(database)).tasks).toHaveLength(tasks.length)
      await database.close()
    })

  if (engine === 'sqlite')
    test('are preceded by a copy of a database with data, which only its owner can read', async () => {
      const url = await databaseWith(engine, async (db) => {
        const old = await migrateToVersion4(db)
        await old.insertInto('tasks').values(tasks).execute()
      })
      const copy = `${fileURLToPath(url)}.before-005-change-log`
      for (let start = 0; start < 2; start++) {
        await (await openDatabase(url)).close()
        expect(statSync(copy).mode & 0o777).toBe(0o600)
        expect(await run(pathToFileURL(copy), 'select tasks_version as head from users')).toEqual([{ head }])
        expect(await run(pathToFileURL(copy), 'select id from tasks')).toHaveLength(tasks.length)
      }
      const files = readdirSync(dirname(copy)).filter((name) => name.includes('before'))
      expect(files).toEqual([basename(copy)])
      // The copy is a complete database, which can be migrated again.
      await (await openDatabase(pathToFileURL(copy))).close()
    })

  if (engine === 'sqlite')
    test('of a large database may take long: a server that starts in the meantime waits', async () => {
      const url = await databaseWith(engine, async () => {})
      const migrating = new DatabaseSync(fileURLToPath(url))
      migrating.exec('begin immediate')
      const opening = openDatabase(url)
      const waits = await Promise.race([opening, nextTurn('waits')])
      migrating.exec('rollback')
      expect(waits).toBe('waits')
      await (await opening).close()
    })

  if (engine === 'sqlite')
    test('that find no space say so, leave the database unchanged and its folder without unfinished files, and can be run again', async () => {
      const url = await databaseWith(engine, async (db) => {
        await migrateToVersion4(db)
        await sql`
          insert into tasks (user_id, id, title, due_date, priority, created_at, body)
          select ${ada.id}, printf('01a1fbec-df28-741d-85d9-%012d', number), 'T', '2026-11-21', 1, 1, printf('%.*c', 1000, 'x')
          from (with recursive numbers(number) as (select 1 union all select number + 1 from numbers limit 3000)
            select number from numbers)`.execute(db)
      })
      const [path, blocks] = [fileURLToPath(url), statSync(fileURLToPath(url)).size / 512]
      const copy = `${path}.before-005-change-log`
      /** Starts a server whose files may have at most this part of the size of the database. */
      const startWith = (part: number) => {
        const limited = ['sh', '-c', `ulimit -f ${Math.round(part * blocks)}; exec "$0" "$@"`]
        return startServer({ DATABASE_URL: url.href }, limited)
      }
      const leftovers = () =>
        readdirSync(dirname(path)).filter((name) => !name.endsWith('-wal') && !name.endsWith('-shm'))

      await expect(startWith(0.25)).rejects.toThrow(/copying it to .* failed: disk I\/O error/)
      expect(leftovers()).toEqual([basename(path), `${basename(path)}.exists`])
      // Enough for the copy, but not for the migration.
      await expect(startWith(1.5)).rejects.toThrow(/cannot be opened: disk I\/O error/)
      expect(leftovers()).toEqual([basename(path), basename(copy), `${basename(path)}.exists`])
      expect(await run(url, 'select count(*) as tasks from tasks')).toEqual([{ tasks: 3000 }])
      expect(await run(url, 'select tasks_version as head from users')).toEqual([{ head }])
      await (await openDatabase(url)).close()
      expect(await run(url, 'select count(*) as tasks from tasks where version = 0')).toEqual([
        { tasks: 3000 },
      ])
    })

  test('can all be reverted, which leaves an empty database', async () => {
    const url = await databaseWith(engine, async () => {})
    const tables = await run(
      url,
      engine === 'sqlite'
        ? `select name from sqlite_schema where name not like 'kysely%' and name not like 'sqlite%'`
        : `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
    )
    expect(tables).toEqual([])
  })

  test('leave the database unchanged if one fails, and can be run again', async () => {
    const url = await emptyDatabase(engine)
    await run(url, 'create table tasks (in_the_way text)')
    await expect(openDatabase(url)).rejects.toThrow(/tasks.*already exists/)
    await expect(run(url, 'select * from users')).rejects.toThrow(/users/)
    await run(url, 'drop table tasks')
    await (await openDatabase(url)).close()
    expect(await run(url, 'select * from users')).toEqual([])
  })

  async function run(url: URL, statement: string) {
    if (engine === 'postgres') return await onPostgres(url, statement)
    const file = new DatabaseSync(fileURLToPath(url))
    try {
      return file.prepare(statement).all()
    } finally {
      file.close()
    }
  }
})

/** Creates a database, reverts every migration, and runs `work` in it. */
async function databaseWith(engine: Engine, work: (db: Db) => Promise<void>): Promise<URL> {
  const url = await emptyDatabase(engine)
  const database = await openDatabase(url)
  await database.write(async (db) => {
    for (const name of steps.toReversed()) {
      const { down }: Step = await import(join(folder, `${name}.ts`))
      await down(db as unknown as Kysely<unknown>, typesOf[engine])
    }
    await sql`delete from kysely_migration`.execute(db)
    await work(db)
  })
  await database.close()
  return url
}
