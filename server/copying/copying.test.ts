import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { tables } from '../database/schema.ts'
import { newId } from '../new-id.ts'
import { emptyDatabase, onPostgres } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { runServer } from '../testing/server-process.ts'
import { moveDatabase } from './move-database.ts'

const command = join(import.meta.dirname, 'move-command.ts')
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

describe('moving a database', () => {
  test('from SQLite to PostgreSQL and back keeps every row to the byte', async () => {
    const [postgres, back] = [await emptyDatabase('postgres'), await emptyDatabase('sqlite')]
    expect(await move(source, postgres)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Moved 1,20\d rows/),
    })
    expect(await move(postgres, back)).toMatchObject({ code: 0 })
    expect(await using(postgres, rowsIn)).toEqual(stored)
    expect(await using(back, rowsIn)).toEqual(stored)
  })

  test('says how far it is, and never a password', async () => {
    const target = await emptyDatabase('postgres')
    const { stdout, stderr } = await move(source, target)
    expect(stderr).toMatch(/^Copying {4}0 %\n.*Copying {2}100 %\nChecking {3}0 %\n.*Checking 100 %\n$/s)
    expect(stdout).toMatch(/; counts and checksums agree\.\n$/)
    expect(stdout + stderr).not.toContain(target.password)
  })

  test('refuses a target in which there is anything, and leaves it as it is', async () => {
    const target = await emptyDatabase('sqlite')
    const before = await using(target, async (database) => {
      await addUser(database)
      return await rowsIn(database)
    })
    expect(await move(source, target)).toMatchObject({
      code: 1,
      stderr: '--to is not empty: there are users in it; choose an empty database\n',
    })
    expect(await using(target, rowsIn)).toEqual(before)
    expect(await move(source, source)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty'),
    })
  })

  test('goes on where it was killed', async () => {
    const target = await emptyDatabase('postgres')
    await using(target, async () => {})
    // Holding the table of tasks stops the move in its middle: users are copied, tasks not yet.
    const holder = new pg.Client({ connectionString: target.href })
    await holder.connect()
    await holder.query('begin; lock table tasks in share mode')
    const running = spawn(process.execPath, [command, '--from', source.href, '--to', target.href])
    await waitUntil(target, `select 1 from pg_locks where not granted and relation = 'tasks'::regclass`)
    running.kill('SIGKILL')
    await once(running, 'exit')
    await holder.end()
    expect(await onPostgres(target, 'select source from unfinished_move')).toHaveLength(1)

    expect(await move(source, target)).toMatchObject({ code: 0 })
    expect(await using(target, rowsIn)).toEqual(stored)
  })

  test('goes on in the middle of a table, from the same source only', async () => {
    const [target, other] = [await emptyDatabase('sqlite'), await emptyDatabase('sqlite')]
    await interrupt(target, (step, done) => step === 'Copying' && done > tasks / 2)
    expect((await using(target, rowsIn)).tasks?.length).toBeLessThan(tasks)
    expect(await runServer({ DATABASE_URL: target.href })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL .* unfinished move .*\n$/),
    })

    await using(other, addUser)
    expect(await move(other, target)).toMatchObject({
      code: 1,
      stderr: `--to holds an unfinished move from ${placeOf(source)}; empty it first\n`,
    })
    expect(await move(source, target)).toMatchObject({ code: 0 })
    expect(await using(target, rowsIn)).toEqual(stored)
  })

  test.each([
    ['a row that is another', setBody, 'the tasks of --from and --to differ'],
    ['a row too many', addUser, '--from has 1 users, --to has 2'],
  ])('notices %s in the copy', async (_, tamper, line) => {
    const target = await emptyDatabase('postgres')
    await interrupt(target, (step) => step === 'Checking')
    await using<unknown>(target, tamper)
    expect(await move(source, target)).toMatchObject({ code: 1, stderr: expect.stringContaining(line) })
  })

  test.each([
    [['--to', 'file:x.sqlite'], /^--from is missing: /],
    [['--from', 'file:x.sqlite'], /^--to is missing: /],
    [
      ['--from', 'mysql://root:secret@h/d', '--to', 'file:x.sqlite'],
      /^--from must be file:PATH or postgres:/,
    ],
    [
      ['--from', 'file:/nowhere/x.sqlite', '--to', 'file:y.sqlite'],
      /^--from names a file that is not there: /,
    ],
    [['--form', 'file:x.sqlite'], /'--form'/],
  ])('refuses the arguments %j with one line that names what is wrong', async (args, line) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr).toMatch(/^.*\n$/)
    expect(stderr).not.toContain('secret')
    expect(existsSync('x.sqlite')).toBe(false)
  })

  test('says which end cannot be reached', async () => {
    const target = 'postgres://daymark:secret@127.0.0.1:1/daymark'
    expect(await run(['--from', source.href, '--to', target])).toEqual({
      code: 1,
      stdout: '',
      stderr: '--to cannot be opened (postgres://127.0.0.1:1/daymark): connect ECONNREFUSED 127.0.0.1:1\n',
    })
  })
})

type Ending = { code: number; stdout: string; stderr: string }

const move = (from: URL, to: URL) => run(['--from', from.href, '--to', to.href])

function run(args: string[]): Promise<Ending> {
  return new Promise((resolve) =>
    execFile(process.execPath, [command, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}

const placeOf = (url: URL) => `file://${fileURLToPath(url)}`

/** Moves the source there, and fails at the step of the way that is asked for. */
async function interrupt(target: URL, when: (step: string, done: number) => boolean) {
  const lost = new Error('the line is cut')
  const cut = (step: string, done: number) => {
    if (when(step, done)) throw lost
  }
  await using(source, (from) =>
    using(target, (to) => expect(moveDatabase(from, to, placeOf(source), cut)).rejects.toBe(lost)),
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

async function waitUntil(url: URL, question: string) {
  while ((await onPostgres(url, question)).length === 0);
}

const user = (email: string) => ({
  id: newId(),
  name: 'Zoë “Ω” 张伟',
  email,
  password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  created_at: 1_700_000_000_000,
  task_count: tasks,
  tasks_version: newId(),
})

const texts = [
  '',
  'plain',
  '👩‍👩‍👧‍👦 e\u0301 é',
  'مرحبا \u202Eשלום\u202C',
  ' \r\n\t"\'\\ ',
  '\uFEFF\uFFFF\u{10FFFF}',
]

/** A dozen of these in one batch are more than one statement takes. */
const longBody = '𝒳'.repeat(50_000)

/** One user with texts of every kind, so many that they need several batches, and a session. */
async function fill(database: Database) {
  const owner = user('zoë@example.org')
  await database.write(async (db) => {
    await db.insertInto('users').values(owner).execute()
    const used = { created_at: 1_700_000_000_001, last_used_at: Date.now() }
    await db
      .insertInto('sessions')
      .values({ token_hash: 'ab'.repeat(32), user_id: owner.id, ...used })
      .execute()
    await db
      .insertInto('attempts')
      .values({ key: 'cd'.repeat(32), count: 3, since: 0, last_at: 1 })
      .execute()
    for (let index = 0; index < tasks; index++) {
      const task = {
        user_id: owner.id,
        id: newId(),
        title: `${index} ${texts[index % texts.length]}`,
        body: index < 12 ? longBody : (texts[index % texts.length] ?? ''),
        due_date: index % 2 ? '0001-01-01' : '9999-12-31',
        priority: (index % 3) + 1,
        created_at: index,
      }
      await db.insertInto('tasks').values(task).execute()
    }
  })
}

const addUser = (database: Database) =>
  database.write((db) => db.insertInto('users').values(user('somebody@example.org')).execute())

const setBody = (database: Database) =>
  database.write((db) =>
    db.updateTable('tasks').set({ body: 'changed' }).where('created_at', '=', 700).execute(),
  )
