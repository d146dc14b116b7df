import { cp, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { runProgram } from '../testing/run-program.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'
import { requireSpace } from './backup.ts'

describe('a backup', () => {
  let url: URL
  let server: TestServer

  beforeAll(async () => {
    url = await emptyDatabase('sqlite')
    server = await startTestServer(url)
  })
  afterAll(() => server.close())

  test('taken while 16 clients write restores to one consistent moment, with all that was acknowledged before', async () => {
    const users = await Promise.all(Array.from({ length: 16 }, () => server.newUser()))
    const acknowledged = await Promise.all(users.map(addTwoDeleteOne))
    let done = false
    const writers = users.map(async (user) => {
      while (!done) acknowledged.push(await addTwoDeleteOne(user))
    })
    const before = acknowledged.slice()
    const { code, stdout } = await backup(['--to', join(dirname(fileURLToPath(url)), 'backups')])
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

  test('names the file that cannot be read or written, in one line, and ends', async () => {
    const folder = await emptyFolder()
    const unreadable = { DATABASE_URL: `file:${folder}` }
    for (const [args, variables, path] of [
      [['--to', '/proc/x/y'], { DATABASE_URL: url.href }, '/proc/x/y'],
      [['--to', folder], unreadable, folder],
      [['--to', folder], { DATABASE_URL: 'file:/proc/self/mem' }, '/proc/self/mem'],
    ] as const) {
      const { code, stdout, stderr } = await runProgram('backups/backup-command.ts', [...args], variables)
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(path) })
      expect(stderr.trimEnd()).not.toContain('\n')
    }
    expect(await readdir(folder)).toEqual([])
  })

  test('is reported with its file, size, rows and time', async () => {
    const folder = await emptyFolder()
    const { code, stdout, stderr } = await backup(['--to', folder])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /daymark-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite: \d+\.\d MB, verified, in \d+\.\d s \(users \d+, accounts \d+, sessions \d+, credentials \d+, subscriptions \d+, reminder_jobs \d+, push_messages \d+, push \d+, tasks \d+, notes \d+, versions \d+, changes \d+, attempts \d+, guesses \d+\)\n$/,
    )
    expect(await readdir(folder)).toEqual([fileOf(stdout).slice(folder.length + 1)])
  })

  test('is written to BACKUP_DIR by default, readable by its owner only', async () => {
    const folder = join(await emptyFolder(), 'made')
    const { stdout } = await backup([], { BACKUP_DIR: folder })
    expect(dirname(fileOf(stdout))).toBe(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(fileOf(stdout))).mode & 0o777).toBe(0o600)
  })

  test('of a damaged database is refused and leaves no file', async () => {
    const [damaged, folder] = [await emptyDatabase('sqlite'), await emptyFolder()]
    await (await openDatabase(damaged)).close()
    damage(fileURLToPath(damaged))
    const { code, stderr } = await backup(['--to', folder], { DATABASE_URL: damaged.href })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The copy is damaged: .*\n$/),
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('of an empty database, which can only be one that was lost, is refused and leaves no file', async () => {
    const [empty, folder] = [await emptyDatabase('sqlite'), await emptyFolder()]
    await writeFile(fileURLToPath(empty), '')
    const { code, stderr } = await backup(['--to', folder], { DATABASE_URL: empty.href })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'The database is empty: it has no tables to back up\n',
    })
    expect(await readdir(folder)).toEqual([])
  })

  test('needs a writable folder', async () => {
    const file = join(await emptyFolder(), 'file')
    await writeFile(file, '')
    const { code, stderr } = await backup(['--to', join(file, 'backups')])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The folder .*\/backups cannot be written to: .*\n$/),
    })
  })

  test('needs as much free space as the database', async () => {
    const folder = await emptyFolder()
    await expect(requireSpace(folder, 1e18)).rejects.toThrow(
      /^There is not enough space in .*: 1000000000000000000 bytes are needed, \d+ are free$/,
    )
    await expect(requireSpace(folder, 1)).resolves.toBeUndefined()
  })

  test.each([
    ['postgres://daymark:secret@localhost/daymark', /^PostgreSQL is backed up with its own pg_dump: .*\n$/],
    ['file:/nowhere/daymark.sqlite', /^There is no database to back up at \/nowhere\/daymark.sqlite\n$/],
  ])('of %s is refused with one line', async (DATABASE_URL, line) => {
    const folder = await emptyFolder()
    const { code, stdout, stderr } = await backup(['--to', folder], { DATABASE_URL })
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
    expect(await readdir(folder)).toEqual([])
  })

  const backup = (args: string[], environment: Record<string, string> = {}) =>
    runProgram('backups/backup-command.ts', args, { DATABASE_URL: url.href, ...environment })
})

const fileOf = (report: string) => report.slice(0, report.indexOf(': '))

const emptyFolder = () => mkdtemp(join(inject('folder'), 'backups-'))

/** The id of the task that stays. */
async function addTwoDeleteOne(user: TestUser): Promise<string> {
  const [kept, deleted] = await Promise.all([user.addTask(), user.addTask()])
  await user.deleteTask(deleted._id)
  return kept._id
}

/** A row that the schema does not allow: every query reads it without an error, but the integrity check reports it. */
function damage(path: string) {
  using file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  file.exec('pragma ignore_check_constraints = on')
  file.exec(
    `insert into tasks (user_id, id, version, title, due_date, priority, created_at, body)
      values ('somebody', 'id', 0, 'title', '2026-11-21', 9, 0, 'body')`,
  )
}
