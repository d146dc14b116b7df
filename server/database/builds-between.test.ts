import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Engine, onEveryEngine, onPostgres } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { runStatement } from '../testing/run-statement.ts'
import { ada, storedDatabase } from '../testing/stored-database.ts'
import { migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { longTexts } from './schema.ts'

/** The migrations of the last build before this one, as it ran them on a database of 0.1.0. */
const migrationsOf = (engine: Engine) =>
  readFileSync(join(import.meta.dirname, `../testing/stored/between.${engine}.sql`), 'utf8')
    .split(/^-- /m)
    .slice(1)
    .map((part) => ({ name: part.slice(0, part.indexOf('\n')), statements: part.slice(part.indexOf('\n')) }))

async function runAll(url: URL, statements: string) {
  if (url.protocol !== 'file:') return void (await onPostgres(url, statements))
  using file = new DatabaseSync(fileURLToPath(url))
  file.exec(statements)
}

/** Returns a database of a build that had the migrations up to this one. */
async function databaseOfBuild(engine: Engine, last: string) {
  const url = await storedDatabase(engine, '0.1.0')
  for (const { name, statements } of migrationsOf(engine)) {
    if (name > last) break
    const migrated = `insert into kysely_migration (name, timestamp) values ('${name}', '2026-11-27')`
    await runAll(url, `${statements}; ${migrated}`)
  }
  return url
}

/** Everything that the engine has stored of a schema. The order of columns counts only on SQLite, and only around long texts. */
async function schemaOf(url: URL) {
  const select = (statement: string) => runStatement(url, statement)
  if (url.protocol !== 'file:')
    return [
      await select(
        `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns where table_schema = 'public' order by 1, 2`,
      ),
      await select(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
      await select(
        `select conrelid::regclass::text as of, pg_get_constraintdef(oid) as as from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
      ),
    ]
  const tables = await select(`select name from sqlite_schema where type = 'table' order by name`)
  const parts = tables.map(async ({ name }) => {
    const columns = await select(
      `select cid, name, type, "notnull", dflt_value, pk from pragma_table_info('${name}') order by name`,
    )
    const text = columns.find((column) => column.name === (longTexts as Record<string, string>)[String(name)])
    return [
      name,
      columns.map(({ cid, ...column }) => ({ ...column, isBehind: text && Number(cid) > Number(text.cid) })),
      await select(
        `select "table", "from", "to", on_delete from pragma_foreign_key_list('${name}') order by id, seq`,
      ),
    ]
  })
  return [
    ...(await Promise.all(parts)),
    await select(`select trim(sql) as sql from sqlite_schema where type <> 'table' order by 1`),
  ]
}

/** All rows after the migration, and the names of the migrations. */
async function migrated(url: URL) {
  const database = await openDatabase(url)
  const rows = await allRows(database)
  await database.close()
  return { rows, names: await runStatement(url, 'select name from kysely_migration order by name') }
}

onEveryEngine('the database of a build between 0.1.0 and this version', (engine) => {
  test.each(['002-expand-folded-texts', '006-expand-due-times', '010-expand-series'])(
    'that had the migrations up to %s gets the schema and the rows of one of 0.1.0, in one step',
    async (last) => {
      const [url, expected] = [await databaseOfBuild(engine, last), await storedDatabase(engine, '0.1.0')]
      const result = await migrated(url)
      expect(result).toEqual(await migrated(expected))
      expect(result.names.map(({ name }) => name)).toEqual(Object.keys(migrations))
      expect(await schemaOf(url)).toEqual(await schemaOf(expected))
    },
  )

  test('that had the migration 002 without the place of a task gets the place and its indexes, and keeps its rows', async () => {
    const [url, expected] = [await storedDatabase(engine, '0.1.0'), await storedDatabase(engine, '0.1.0')]
    const before = await migrated(url)
    const open = 'where done_at is null and deleted_at is null'
    for (const statement of [
      'drop index tasks_by_day_and_place',
      'drop index tasks_by_priority_and_place',
      'alter table tasks drop column place_in_file',
      `create index tasks_by_day_and_time on tasks (user_id, due_date, due_time, priority, id) ${open}`,
      `create index tasks_by_priority_and_time on tasks (user_id, priority, due_date, due_time, id) ${open}`,
      `delete from kysely_migration where name = '004-expand-places'`,
    ])
      await runStatement(url, statement)
    expect(await migrated(url)).toEqual(before)
    expect(await migrated(expected)).toEqual(before)
    expect(await schemaOf(url)).toEqual(await schemaOf(expected))
  })

  test('keeps what its users have stored', async () => {
    const url = await databaseOfBuild(engine, '999')
    const user = `(select user_id from accounts where email = '${ada.email}')`
    const [hash, tokenHash, id] = ['ab'.repeat(32), 'cd'.repeat(32), '01a1fbec-df28-741d-85d9-000000000001']
    for (const statement of [
      `insert into sessions (user_id, token_hash, created_at, last_used_at) values (${user}, '${hash}', 1, 2)`,
      `insert into sessions (user_id, token_hash, created_at, last_used_at, scope, name, expires_at) values (${user}, '${tokenHash}', 1, 2, 'read', 'Calendar', 3)`,
      `insert into subscriptions values (${user}, '${id}', '${hash}', 1, 'https://push.example.org', 'p', 'a', 'https://tasks.example.org')`,
      `insert into reminder_jobs (user_id, item, reminder, subscription, service, remind_at, attempts, held, others) values (${user}, '${id}', '0', '', '', 1, 0, 0, '')`,
      `update tasks set due_time = '09:30', reminders = '[]', repeat = 'FREQ=DAILY', series = id`,
      `update changes set by = 'Firefox on Linux'`,
    ])
      await runStatement(url, statement)
    const columns = { subscriptions: ['endpoint'], tasks: ['due_time', 'series'], changes: ['by'] }
    const before: Record<string, Record<string, unknown>[]> = {}
    for (const table of Object.keys(columns))
      before[table] = await runStatement(url, `select * from ${table}`)
    const { rows } = await migrated(url)
    // Its reminders are computed anew.
    expect(rows.reminder_jobs ?? []).toEqual([])
    expect(rows.users?.filter((row) => JSON.parse(row).remind_from !== null)).toHaveLength(1)
    const token = { scope: 'read', name: 'Calendar', created_at: 1, last_used_at: 2, expires_at: 3 }
    expect((rows.credentials ?? []).map((row) => JSON.parse(row))).toMatchObject([token])
    expect(rows.sessions?.some((row) => row.includes(tokenHash))).toBe(false)
    for (const [table, names] of Object.entries(columns))
      for (const name of names) {
        const values = (rows[table] ?? []).map((row) => JSON.parse(row)[name])
        expect(values.toSorted()).toEqual(before[table]?.map((row) => row[name]).toSorted())
      }
  })
})
