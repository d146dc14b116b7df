import { renameSync } from 'node:fs'
import { copyFile, link, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase } from '../database/open-database.ts'
import type { Schema } from '../database/schema.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import { watchSqliteFile } from '../database/sqlite/file.ts'
import { batchWrites, maxBatchSize } from '../database/sqlite/writer.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { type FileServer, startInside, startOutside, titlesIn } from '../testing/file-server.ts'
import { expectRefused } from '../testing/run-program.ts'
import { runServer, type ServerProcess } from '../testing/server-process.ts'
import { startTestServer } from '../testing/test-server.ts'

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }

let url: URL
let path: string
let server: FileServer
let stop: () => Promise<unknown>
let token: string
/** The titles of tasks whose creation was answered with 200. */
let acknowledged: string[]

const use = <Of extends FileServer>(started: Of): Of => {
  ;({ stop } = started)
  server = started
  return started
}
const start = async () => use(await startInside(url))
const startProcess = async () => use(await startOutside(url)).program

/** Starts a server on an empty database, with a user and a task. */
async function startWithTask<T>(databaseUrl: URL, begin: () => Promise<T>): Promise<T> {
  url = databaseUrl
  path = fileURLToPath(url)
  acknowledged = []
  const started = await begin()
  token = (await server.call('POST /user/register', { body: ada })).json.token
  await add('before')
  return started
}

/** Leaves the database as a crash does, under a path of its own, and continues with that one. */
async function crash() {
  const crashed = await emptyDatabase('sqlite')
  for (const suffix of ['', '-wal', '.exists']) await copyFile(path + suffix, fileURLToPath(crashed) + suffix)
  await stop()
  stop = async () => {}
  url = crashed
  path = fileURLToPath(url)
}

async function add(title: string) {
  const body = { title, body: '', dueDate: '2026-11-21', priority: 'low' }
  const answer = await server.call('POST /list/addTask', { token, body })
  if (answer.status === 200) acknowledged.push(title)
  return answer
}

async function expectRefusal() {
  const refused = await add('refused')
  const detail =
    'The database file was moved, removed or replaced. Nothing can be stored until the operator has restored it. Nothing was changed.'
  expect(refused).toMatchObject({ status: 503, json: { title: 'Service Unavailable', detail } })
  expect(await server.ready()).toBe(503)
  expect(await listed()).toHaveLength(acknowledged.length)
}

const listed = async () => (await server.call('GET /list/getLatestTasks', { token })).json.lists

afterEach(() => stop())

describe('a database file that is no longer at its path', () => {
  beforeEach(async () => startWithTask(await emptyDatabase('sqlite'), start))

  const removals: [string, () => Promise<unknown>][] = [
    ['removed', () => rm(path)],
    ['removed with its log', () => Promise.all(['', '-wal', '-shm'].map((suffix) => rm(path + suffix)))],
    ['removed with its folder', () => rm(join(path, '..'), { recursive: true })],
    ['moved away', () => rename(path, `${path}.moved`)],
    ['replaced by another', () => copyFile(path, `${path}.copy`).then(() => rename(`${path}.copy`, path))],
    ['replaced by an empty file', () => rm(path).then(() => writeFile(path, ''))],
    ['emptied', () => truncate(path)],
  ]
  test.each(removals)('(%s) stops every acknowledgement and turns /readyz 503', async (_, remove) => {
    await remove()
    await expectRefusal()
  })

  test('and is moved back is used again at once, with all that was acknowledged and nothing that was refused', async () => {
    await rename(path, `${path}.moved`)
    await expectRefusal()
    // Under another name, it is the same file.
    await link(`${path}.moved`, path)
    expect((await add('after')).status).toBe(200)
    expect(await server.ready()).toBe(200)
    expect(titlesIn(path)).toEqual(acknowledged)
  })

  test('during a commit makes the outcome of the write unknown', async () => {
    const file = new DatabaseSync(path)
    const watched = watchSqliteFile(path)
    const db = new Kysely<Schema>({ dialect: sqliteDialect(file, watched.recordError) })
    // Called first after the commit.
    const committed = () => {
      renameSync(path, `${path}.aside`)
      watched.committed()
    }
    const write = batchWrites({ file, db }, maxBatchSize, { ...watched, committed }, () => {})
    await expect(write((tx) => tx.selectFrom('users').select('id').execute())).rejects.toThrow(
      /^The database file was moved, removed or replaced\. .* may or may not be stored/,
    )
    file.close()
  })

  test('but has a backup copied into it is left alone by the stop, also after it was found whole', async () => {
    await stop()
    await copyFile(path, `${path}.backup`)
    const { database, close } = await startTestServer(url)
    stop = close
    await database.write((db) => db.updateTable('tasks').set({ title: 'after the backup' }).execute())
    await copyFile(`${path}.backup`, path)
    expect(database.fault()).toBeUndefined()
    await database.inspect(new AbortController().signal)
    expect(database.fault()).toBeUndefined()
    await stop()
    stop = async () => {}
    // Without the WAL, which docs/operating.md says to remove before the next start.
    await copyFile(path, `${path}.found`)
    expect(titlesIn(`${path}.found`)).toEqual(['before'])
  })

  test.each(['-wal', '-shm'])('nor is its %s: acknowledged changes are in the database', async (suffix) => {
    await rm(path + suffix)
    await expectRefusal()
    await stop()
    expect(titlesIn(path)).toEqual(acknowledged)
    await start()
    expect((await add('after')).status).toBe(200)
  })

  test('or whose WAL was emptied stops every acknowledgement', async () => {
    await truncate(`${path}-wal`)
    await add('refused')
    expect(acknowledged).toEqual(['before'])
    expect(await server.ready()).toBe(503)
  })
})

describe('a database file that is no longer at its path of a server process', () => {
  let program: ServerProcess
  beforeEach(async () => {
    program = await startWithTask(await emptyDatabase('sqlite'), startProcess)
  })

  test('is logged once, as an error that says what to do', async () => {
    await rm(path)
    await expectRefusal()
    await expect.poll(() => program.printed()).toMatch(/"level":50/)
    await expectRefusal()
    const { stdout } = await program.stop()
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 50,
        msg: `database: daymark.sqlite was removed while the server was running (${path}). Nothing is stored. If it was moved, move it back: the server then continues. Otherwise stop the server, restore a backup and start it again: "Backup and restore" in docs/operating.md`,
      }),
    ])
  })

  test('never loses a write that was acknowledged while it was moved away', async () => {
    let done = false
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let number = 0; !done; number++) await add(`${client} ${number}`)
    })
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
    for (const suffix of ['', '-wal', '-shm']) await copyFile(path + suffix, `${path}.copy${suffix}`)
    for (const suffix of ['', '-wal', '-shm']) await rename(path + suffix, `${path}.moved${suffix}`)
    await expect.poll(() => server.ready()).toBe(503)
    done = true
    await Promise.all(clients)
    await stop()
    expect(titlesIn(`${path}.moved`)).toEqual(expect.arrayContaining(acknowledged))
  })

  test('and has a backup in its place is left alone by the stop, so that the next start finds the backup whole', async () => {
    await program.stop()
    await copyFile(path, `${path}.backup`)
    program = await startProcess()
    await add('after the backup')
    // In the order of docs/operating.md, but without stopping the server first; into the same file, as cp does it.
    await rm(`${path}-wal`)
    await rm(`${path}-shm`)
    await copyFile(`${path}.backup`, path)
    expect((await add('refused')).status).toBe(503)
    expect((await program.stop()).code).toBe(0)
    expect(titlesIn(path)).toEqual(['before'])
    await start()
    expect((await add('goes on')).status).toBe(200)
  })
})

describe('a symbolic link in DATABASE_URL', () => {
  beforeEach(async () => {
    const folder = await mkdtemp(join(inject('folder'), 'link-'))
    await symlink(fileURLToPath(await emptyDatabase('sqlite')), join(folder, 'daymark.sqlite'))
    await startWithTask(pathToFileURL(join(folder, 'daymark.sqlite')), start)
  })

  test('is followed, and one that leads elsewhere stops every acknowledgement', async () => {
    await rm(path)
    await symlink(fileURLToPath(await emptyDatabase('sqlite')), path)
    await expectRefusal()
  })

  test('that leads nowhere any more, as without the disk it is on, stops the start', async () => {
    await stop()
    await rm(path)
    await symlink('/nowhere/daymark.sqlite', path)
    await expectNoStart(`the database that was at ${path} is gone`)
  })
})

async function expectNoStart(reason: string) {
  const opened = openConfiguredDatabase(readConfig({ DATABASE_URL: url.href }))
  await expect(opened).rejects.toThrow(reason)
  stop = async () => {}
}

describe('a start where a database was before', () => {
  beforeEach(async () => startWithTask(await emptyDatabase('sqlite'), start))

  test.each([
    ['gone', () => rm(path)],
    ['empty', () => truncate(path)],
  ])('and is %s makes no new one, and says how to restore and how to start afresh', async (state, lose) => {
    await stop()
    await lose()
    const before = await readdir(join(path, '..'))
    expectRefused(
      await runServer({ DATABASE_URL: url.href }),
      `DATABASE_URL: the database cannot be opened: the database that was at ${path} is ${state}; restore a backup (see "Backup and restore" in docs/operating.md), or remove ${path}.exists to start with an empty database`,
    )
    expect(await readdir(join(path, '..'))).toEqual(before)

    await rm(`${path}.exists`)
    await start()
    expect((await server.call('POST /user/register', { body: ada })).status).toBe(200)
  })

  test('and lost its WAL, which contained every table, makes no new one', async () => {
    await crash()
    await rm(`${path}-wal`)
    await expectNoStart(`the database that was at ${path} is empty`)
  })

  test('by a version that left no marker is recognized by its WAL, and the next start leaves a marker', async () => {
    await crash()
    await rm(`${path}.exists`)
    await copyFile(path, `${path}.kept`)
    await rm(path)
    await expectNoStart(`or remove ${path}-wal to start`)
    await rename(`${path}.kept`, path)
    await start()
    await stop()
    await rm(path)
    await expectNoStart(`or remove ${path}.exists to start`)
  })

  test('and a backup is now uses the backup', async () => {
    await stop()
    await copyFile(path, `${path}.backup`)
    await rm(path)
    await rename(`${path}.backup`, path)
    await start()
    expect(await listed()).toHaveLength(1)
  })
})
