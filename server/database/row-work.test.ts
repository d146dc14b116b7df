import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { foldedTexts } from '#contract/folding.ts'
import { followChanges } from '../earlier-servers.ts'
import { type Engine, onEveryEngine, onPostgres } from '../testing/engines.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { connectForTest, untilFound, waitingForLock } from '../testing/postgres-queries.ts'
import { runStatement } from '../testing/run-statement.ts'
import { ada, storedDatabase } from '../testing/stored-database.ts'
import { serverForTest } from '../testing/test-server.ts'
import { postgresTypes } from './column-types.ts'
import { rows as works } from './migrations/003-expand-texts.ts'
import { openDatabase } from './open-database.ts'

const id = (number: number) => `01a1fbec-df28-741d-85d9-${String(number).padStart(12, '0')}`

/** Returns a database of 0.1.0 with so many more tasks, whose search texts this version makes otherwise. */
async function withTasks(engine: Engine, count: number) {
  const url = await storedDatabase(engine, '0.1.0')
  const numbers = `with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})`
  const title = `'Don’t ' || number`
  const key =
    engine === 'sqlite'
      ? `printf('01a1fbec-df28-741d-85d9-%012d', number)`
      : `('01a1fbec-df28-741d-85d9-' || lpad(number::text, 12, '0'))::uuid`
  await runStatement(
    url,
    `insert into tasks (user_id, id, version, title, due_date, priority, created_at, body, folded)
      ${numbers} select (select user_id from accounts where email = '${ada.email}'), ${key}, 1, ${title}, '2026-11-21', 1, 1, '', ${title} || '\n' from numbers`,
  )
  return url
}

/** How many of these tasks have the search text of this version. */
const refolded = async (url: URL) =>
  (await runStatement(url, `select id from tasks where folded like 'don''t %'`)).length

onEveryEngine('work on the rows of an earlier version', (engine) => {
  test('is done in transactions of at most 200 rows, and a start after an interruption goes on where it was', async () => {
    const url = await withTasks(engine, 1000)
    const fails =
      engine === 'sqlite'
        ? `create trigger fails before update of folded on tasks when new.id = '${id(700)}' begin select raise(abort, 'interrupted'); end`
        : `create function fails() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$;
          create trigger fails before update of folded on tasks for each row when (new.id = '${id(700)}') execute function fails()`
    await runStatement(url, fails)
    await expect(openDatabase(url)).rejects.toThrow('interrupted')
    const done = await refolded(url)
    expect(500 <= done && done < 700, `${done} rows`).toBe(true)
    await runStatement(url, engine === 'sqlite' ? 'drop trigger fails' : 'drop trigger fails on tasks')
    await runStatement(url, `update tasks set folded = 'not read again' where id = '${id(1)}'`)
    await (await openDatabase(url)).close()
    expect(await refolded(url)).toBe(999)
    expect(await runStatement(url, `select id from tasks where folded = 'not read again'`)).toHaveLength(1)
    // What the first start has left for the second one.
    await expect(runStatement(url, 'select * from unfinished_rows')).rejects.toThrow(/unfinished_rows/)
  })

  test('makes the texts that 0.1.0 has stored searched like those of this version', async () => {
    const url = await storedDatabase(engine, '0.1.0')
    const of = (title: string) => `where title = '${title}'`
    for (const statement of [
      `update tasks set title = 'Don’t co‑op', folded = 'don’t co‐op\n' ${of('Später')}`,
      `update notes set text = '\u200b\nDo\u00adnau – Rhein', title = '\u200b', snippet = 'Do\u00adnau – Rhein',
        folded = '\u200b\n\u200b\ndo\u00adnau – rhein' ${of('Überfällig 😀')}`,
    ])
      await runStatement(url, statement)
    const server = await serverForTest(url)
    const { token } = (await server.call('POST /user/login', { body: ada })).json
    const find = async (words: string) =>
      (await server.call(`GET /search?q=${encodeURIComponent(words)}`, { token })).json
    for (const words of ["don't", 'don’t', 'co-op'])
      expect((await find(words)).tasks.map(({ title }) => title)).toEqual(['Don’t co‑op'])
    expect((await find('donau - rhein')).notes.map(({ title }) => title)).toEqual(['Do\u00adnau – Rhein'])
    expect((await find('after')).tasks.map(({ title }) => title)).toEqual(['After the edit'])
  })

  test('is done again for what servers of that version change meanwhile', async () => {
    const url = await storedDatabase(engine, '0.1.0')
    const server = await serverForTest(url)
    const user = server.as((await server.call('POST /user/login', { body: ada })).json.token)
    const edit = (kind: string, seq: number, values: string, was: string) => [
      `update ${kind}s set title = 'Don’t co‑op', version = ${seq}, ${values} where title = '${was}'`,
      `insert into changes (user_id, seq, id, at, device, kind, item, fields, before) select user_id, ${seq}, '${id(seq)}', 1, '', '${kind}', id, 'title', '{}' from ${kind}s where title = 'Don’t co‑op'`,
    ]
    for (const statement of [
      ...edit('task', 900, `folded = 'don’t co‑op\n'`, 'Später'),
      ...edit('note', 901, `text = '\u200b\nDon’t co‑op', folded = 'don’t co‑op'`, 'Überfällig 😀'),
      `insert into users (id, name, email, password_hash, created_at, seq, head, task_count, stored_bytes, trim_at) select '${id(1)}', 'Zoë', 'zoe\u0308@example.org', password_hash, 1, 0, '${id(1)}', 0, 0, 0 from users where email = '${ada.email}'`,
      `insert into accounts (email, user_id) values ('zoe\u0308@example.org', '${id(1)}')`,
      `insert into changes (user_id, seq, id, at, device, kind, fields) values ('${id(1)}', 0, '${id(1)}', 1, '', 'start', '')`,
    ])
      await runStatement(url, statement)
    const found = async () => (await user.call("GET /search?q=don't%20co-op")).json
    expect((await found()).tasks).toEqual([])
    expect(await followChanges(server.database)).toBe(true)
    const { tasks, notes } = await found()
    expect([tasks, notes].map(([item]) => item?.title)).toEqual(['Don’t co‑op', 'Don’t co‑op'])
    const login = await server.call('POST /user/login', { body: { ...ada, email: 'zoë@example.org' } })
    expect(login.status).toBe(200)
    expect(await followChanges(server.database)).toBe(false)
    // What this version has stored is not done again.
    await user.addTask({ title: 'Don’t' })
    expect(await followChanges(server.database)).toBe(false)
  })
})

test('on PostgreSQL, work on rows locks users only while it stores, and what is changed meanwhile is read again', async () => {
  const url = await withTasks('postgres', 3)
  const database = await openTestDatabase(url)
  await runStatement(url, `update tasks set title = 'Don’t', folded = 'don’t' where id = '${id(1)}'`)
  const other = await connectForTest(url)
  await other.query(`begin; update users set seq = seq where email = '${ada.email}'`)
  await other.query(
    `update tasks set title = 'Can’t', folded = 'can’t', version = version + 1 where id = '${id(1)}'`,
  )
  const working = database.write(async (db) => {
    await works[0]?.(db, postgresTypes, undefined)
    const locks = sql`select 1 from pg_locks
      where relation = 'tasks'::regclass and mode = 'RowExclusiveLock' and pid = pg_backend_pid()`
    expect((await locks.execute(db)).rows).toHaveLength(1)
  })
  await untilFound(url, waitingForLock)
  await other.query('commit')
  await working
  expect(await onPostgres(url, `select title, folded from tasks where id = '${id(1)}'`)).toEqual([
    { title: 'Can’t', folded: foldedTexts(['Can’t', '']) },
  ])
  await database.close()
})
