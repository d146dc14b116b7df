import { cp, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { expectRefused, runProgram } from '../testing/run-program.ts'
import { serverForAll, type TestUser } from '../testing/test-server.ts'
import { requireSpace } from './backup.ts'

describe('a backup', () => {
  const server = serverForAll('sqlite')

  test('taken while 16 clients write restores to one consistent moment, with all that was acknowledged before', async () => {
    const users = await Promise.all(Array.from({ length: 16 }, () => server.newUser()))
    const acknowledged = await Promise.all(users.map(addTwoDeleteOne))
    let done = false
    const writers = users.map(async (user) => {
      while (!done) acknowledged.push(await addTwoDeleteOne(user))
    })
    const before = acknowledged.slice()
    const { code, stdout } = await backup(['--to', join(dirname(fileURLToPath(server.url)), 'backups')])
    done = true
    await Promise.all(writers)
    expect(code).toBe(0)
    expect(acknowledged.length).toBeGreaterThan(before.length)

    const restored = await emptyDatabase('sqlite')
    await cp(fileOf(stdout), fileURLToPath(restored))
    const database = await openDatabase(restored)
    const { rows: wrong } = await sql`
      select id from users where task_count <> (select count(*) from tasks where user_id = users.id and deleted_at is null)
    `.execute(database.read)
    const ids = (await database.read.selectFrom('tasks').select('id').execute()).map(({ id }) => id)
    const { rows: integrity } = await sql`pragma integrity_check`.execute(database.read)
    await database.close()
    expect(wrong).toEqual([])
    expect(integrity).toEqual([{ integrity_check: 'ok' }])
    expect(ids).toEqual(expect.arrayContaining(before))
  })

  test('is written to BACKUP_DIR by default, readable by its owner only, and reported with its file, size, rows and time', async () => {
    const folder = join(await emptyFolder(), 'made')
    const { code, stdout, stderr } = await backup([], { BACKUP_DIR: folder })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /daymark-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite: \d+\.\d MB, verified, in \d+\.\d s \(users \d+, accounts \d+, sessions \d+, credentials \d+, subscriptions \d+, reminder_jobs \d+, push_messages \d+, push \d+, tasks \d+, notes \d+, versions \d+, changes \d+, attempts \d+, guesses \d+\)\n$/,
    )
    expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([fileOf(stdout)])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(fileOf(stdout))).mode & 0o777).toBe(0o600)
  })

  test('needs as much free space as the database', async () => {
    const folder = await emptyFolder()
    await expect(requireSpace(folder, 1e18)).rejects.toThrow(
      /^There is not enough space in .*: 1000000000000000000 bytes are needed, \d+ are free$/,
    )
    await expect(requireSpace(folder, 1)).resolves.toBeUndefined()
  })

  const lost = 'an empty database, which can only be one that was lost,'
  test.each<[what: string, line: RegExp, url: string | (() => Promise<string>)]>([
    ['PostgreSQL', /^PostgreSQL is backed up with its own pg_dump: /, 'postgres://ada:secret@h/daymark'],
    ['no file', /^There is no database to back up at \/nowhere\/x\.sqlite$/, 'file:/nowhere/x.sqlite'],
    ['a folder', /\/backups-/, async () => `file:${await emptyFolder()}`],
    ['a file that cannot be read', /\/proc\/self\/mem/, 'file:/proc/self/mem'],
    [lost, /^The database is empty: it has no tables to back up$/, emptyFile],
    ['a damaged database', /^The copy is damaged: /, damagedDatabase],
  ])('of %s is refused with one line, and leaves no file', async (_, line, url) => {
    const folder = await emptyFolder()
    const DATABASE_URL = typeof url === 'string' ? url : await url()
    expectRefused(await backup(['--to', folder], { DATABASE_URL }), line)
    expect(await readdir(folder)).toEqual([])
  })

  test('into a folder that is not writable is refused with one line', async () => {
    for (const folder of ['/dev/null/backups', '/proc/x/y'])
      expectRefused(await backup(['--to', folder]), `The folder ${folder} cannot be written to: `)
  })

  const backup = (args: string[], environment: Record<string, string> = {}) =>
    runProgram('backups/backup-command.ts', args, { DATABASE_URL: server.url.href, ...environment })
})

const fileOf = (report: string) => report.slice(0, report.indexOf(': '))

const emptyFolder = () => mkdtemp(join(inject('folder'), 'backups-'))

/** The id of the task that stays. */
async function addTwoDeleteOne(user: TestUser): Promise<string> {
  const [kept, deleted] = await Promise.all([user.addTask(), user.addTask()])
  await user.deleteTask(deleted._id)
  return kept._id
}

async function emptyFile() {
  const empty = await emptyDatabase('sqlite')
  await writeFile(fileURLToPath(empty), '')
  return empty.href
}

/** With a row that the schema does not allow: every query reads it without an error, but the integrity check reports it. */
async function damagedDatabase() {
  const url = await emptyDatabase('sqlite')
  await (await openDatabase(url)).close()
  using file = new DatabaseSync(fileURLToPath(url), { enableForeignKeyConstraints: false })
  file.exec('pragma ignore_check_constraints = on')
  file.exec(
    `insert into tasks (user_id, id, version, title, due_date, priority, created_at, body)
      values ('somebody', 'id', 0, 'title', '2026-11-21', 9, 0, 'body')`,
  )
  return url.href
}
