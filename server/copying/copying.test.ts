import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open-database.ts'
import { tables } from '../database/schema.ts'
import { newId } from '../new-id.ts'
import { loadPushKeys } from '../reminders/push-keys.ts'
import { emptyDatabase, onPostgres } from '../testing/engines.ts'
import { addUser } from '../testing/open-test-database.ts'
import { allRows } from '../testing/rows.ts'
import { expectRefused, runProgram } from '../testing/run-program.ts'
import { runServer, startServer } from '../testing/server-process.ts'
import { insertRows, setAccount } from '../testing/stored-rows.ts'
import { copyDatabase } from './copy-database.ts'

const command = join(import.meta.dirname, 'copy-command.ts')
const tasks = 1200

let source: URL
let stored: Record<string, string[]>

beforeAll(async () => {
  source = await emptyDatabase('sqlite')
  await using(source, async (database) => {
    await fill(database)
    stored = await rowsIn(database)
  })
})

describe('copying a database', () => {
  test('from SQLite to PostgreSQL and back keeps every row byte for byte, and prints its progress and never a password', async () => {
    const [postgres, back] = [await emptyDatabase('postgres'), await emptyDatabase('sqlite')]
    const { stdout, stderr } = await copy(source, postgres)
    expect(stdout).toMatch(
      /^Copied 1,20\d rows.*; row counts and checksums match\.\nThe copy sends no .*\n$/s,
    )
    expect(stderr).toMatch(/^Copying {4}0 %\n.*Copying {2}100 %\nChecking {3}0 %\n.*Checking 100 %\n$/s)
    expect(stdout + stderr).not.toContain(postgres.password)
    expect(await copy(postgres, back)).toMatchObject({ code: 0 })
    expect(await using(postgres, rowsIn)).toEqual(stored)
    expect(await using(back, rowsIn)).toEqual(stored)
  })

  test('sends no reminders from the copy until the operator lets it, also if a server without users ran on the target', async () => {
    const [original, target] = [await emptyDatabase('sqlite'), await emptyDatabase('postgres')]
    await using(target, loadPushKeys)
    const keys = await using(original, async (database) => {
      await addAccount(database)
      return await loadPushKeys(database)
    })
    const { stdout } = await copy(original, target)
    expect(stdout).toContain('The copy sends no reminders until you run "npm run reminders -- on"')
    const copied = await startServer({ DATABASE_URL: target.href, LOG_LEVEL: 'warn' })
    await expect.poll(copied.printed).toContain('reminders are off')
    await copied.stop()
    expect(await using(target, loadPushKeys)).toEqual({ ...keys, isOn: false })
    expect(await using(original, loadPushKeys)).toEqual(keys)
    const before = Date.now()
    const switched = await runProgram('reminders/reminders-command.ts', ['on'], { DATABASE_URL: target.href })
    const line = 'The servers on this database send reminders, of which none is from before now.\n'
    expect(switched).toEqual({ code: 0, stderr: '', stdout: line })
    const { notBefore, ...on } = await using(target, loadPushKeys)
    expect(on).toMatchObject({ isOn: true, publicKey: keys.publicKey })
    expect(notBefore).toBeGreaterThanOrEqual(before)
  })

  test('rejects a target that contains rows, and leaves it unchanged', async () => {
    const target = await emptyDatabase('sqlite')
    const before = await using(target, async (database) => {
      await addAccount(database)
      return await rowsIn(database)
    })
    expectRefused(
      await copy(source, target),
      '--to is not empty: it contains users; choose an empty database',
    )
    expect(await using(target, rowsIn)).toEqual(before)
    expectRefused(await copy(source, source), 'not empty')
  })

  test('resumes after it was killed', async () => {
    const target = await emptyDatabase('postgres')
    await using(target, async () => {})
    // The lock on the table `tasks` blocks the copy after the users and before the tasks.
    const holder = new pg.Client({ connectionString: target.href })
    await holder.connect()
    await holder.query('begin; lock table tasks in share mode')
    const running = spawn(process.execPath, [command, '--from', source.href, '--to', target.href])
    const waiting = `select 1 from pg_locks where not granted and relation = 'tasks'::regclass`
    while ((await onPostgres(target, waiting)).length === 0);
    running.kill('SIGKILL')
    await once(running, 'exit')
    await holder.end()
    expect(await onPostgres(target, 'select source from unfinished_move')).toHaveLength(1)

    expect(await copy(source, target)).toMatchObject({ code: 0 })
    expect(await using(target, rowsIn)).toEqual(stored)
  })

  test('resumes in the middle of a table, but only from the same source', async () => {
    const [target, other] = [await emptyDatabase('sqlite'), await emptyDatabase('sqlite')]
    await interrupt(target, (step, done) => step === 'Copying' && done > tasks / 2)
    expect((await using(target, rowsIn)).tasks?.length).toBeLessThan(tasks)
    expect(await runServer({ DATABASE_URL: target.href })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL: .* unfinished copy; .*\n$/),
    })

    await using(other, addAccount)
    expectRefused(
      await copy(other, target),
      `--to contains an unfinished copy of ${urlOf(source)}; empty it first`,
    )
    expect(await copy(source, target)).toMatchObject({ code: 0 })
    expect(await using(target, rowsIn)).toEqual(stored)
  })

  test.each([
    ['a changed row', setBody, 'the tasks of --from and --to differ'],
    ['an additional row', addAccount, '--from has 1 users, --to has 2'],
  ])('detects %s in the copy', async (_, tamper, line) => {
    const target = await emptyDatabase('postgres')
    await interrupt(target, (step) => step === 'Checking')
    await using<unknown>(target, tamper)
    expect(await copy(source, target)).toMatchObject({ code: 1, stderr: expect.stringContaining(line) })
  })

  test.each([
    [['--to', 'file:x.sqlite'], /^--from is missing: /],
    [['--from', 'file:x.sqlite'], /^--to is missing: /],
    [
      ['--from', 'mysql://root:secret@h/d', '--to', 'file:x.sqlite'],
      /^--from must be file:PATH or postgres:/,
    ],
    [['--from', 'file:/nowhere/x.sqlite', '--to', 'file:y.sqlite'], /^--from: there is no file /],
  ])('rejects the arguments %j with one line that names the error', async (args, line) => {
    const ended = await run(args)
    expectRefused(ended, line)
    expect(ended.stderr).not.toContain('secret')
    expect(existsSync('x.sqlite')).toBe(false)
  })

  test('names the database that cannot be reached', async () => {
    const target = 'postgres://daymark:secret@127.0.0.1:1/daymark'
    const line = '--to cannot be opened (postgres://127.0.0.1:1/daymark): connect ECONNREFUSED 127.0.0.1:1'
    expectRefused(await run(['--from', source.href, '--to', target]), line)
  })
})

const run = (args: string[]) => runProgram('copying/copy-command.ts', args)
const copy = (from: URL, to: URL) => run(['--from', from.href, '--to', to.href])

const urlOf = (url: URL) => `file://${fileURLToPath(url)}`

/** Copies the source to the target, and fails at the first progress report for which `when` returns true. */
async function interrupt(target: URL, when: (step: string, done: number) => boolean) {
  const failure = new Error('the connection is lost')
  const failWhen = (step: string, done: number) => {
    if (when(step, done)) throw failure
  }
  await using(source, (from) =>
    using(target, (to) => expect(copyDatabase(from, to, urlOf(source), failWhen)).rejects.toBe(failure)),
  )
}

async function using<T>(url: URL, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function rowsIn(database: Database) {
  const rows = await allRows(database)
  return Object.fromEntries(Object.keys(tables).map((table) => [table, rows[table] ?? []]))
}

const texts = [
  ...['', 'plain', '👩‍👩‍👧‍👦 e\u0301 é', 'مرحبا \u202Eשלום\u202C', ' \r\n\t"\'\\ '],
  '\uFEFF\uFFFF\u{10FFFF}',
]

/** Twelve of these exceed the maximum length of one insert statement. */
const longBody = '𝒳'.repeat(50_000)

/** Adds one user with a session and with tasks of all kinds of text, enough for several batches. */
async function fill(database: Database) {
  const user_id = await addAccount(database, 'zoë@example.org')
  const values = { name: 'Zoë “Ω” 张伟', stored_bytes: 2_456_789, settings: '{"theme":"dark"}' }
  await setAccount(database, user_id, values)
  const counted = { count: 3, since: 0, last_at: 1 }
  const session = {
    token_hash: 'ab'.repeat(32),
    user_id,
    created_at: 1_700_000_000_001,
    last_used_at: Date.now(),
  }
  await insertRows(database, 'sessions', [session])
  await insertRows(database, 'attempts', [{ key: 'cd'.repeat(32), ...counted }])
  await insertRows(database, 'guesses', [{ user_id, key: 'ef'.repeat(32), ...counted }])
  const rows = Array.from({ length: tasks }, (_, index) => {
    const text = texts[index % texts.length] ?? ''
    return {
      ...{ user_id, id: newId(), version: 0, title: `${index} ${text}`, created_at: index },
      ...{ due_date: index % 2 ? '0001-01-01' : '9999-12-31', priority: (index % 3) + 1 },
      body: index < 12 ? longBody : text,
    }
  })
  await insertRows(database, 'tasks', rows)
}

const addAccount = ({ write }: Database, email = 'somebody@example.org') => write((db) => addUser(db, email))

const setBody = ({ write }: Database) =>
  write((db) => db.updateTable('tasks').set({ body: 'changed' }).where('created_at', '=', 700).execute())
