import { renameSync } from 'node:fs'
import { copyFile, link, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Kysely } from 'kysely'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase } from '../database/open-database.ts'
import type { Schema } from '../database/schema.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import { watchSqliteFile } from '../database/sqlite/file.ts'
import { batchWrites, maxBatchSize } from '../database/sqlite/writer.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { ada, fileServer, loggedBy, titlesIn } from '../testing/file-server.ts'
import { expectRefused } from '../testing/run-program.ts'
import { runServer, type ServerProcess } from '../testing/server-process.ts'
import { startTestServer } from '../testing/test-server.ts'

const at = fileServer()

/** Starts a server on a database, an empty one by default, with a user and a task. */
async function startWithTask(begin: () => Promise<unknown> = at.start, url?: URL) {
  await at.use(url)
  at.acknowledged.length = 0
  await begin()
  await at.signUp()
  await at.add('before')
}

/** Leaves the database as a crash does, under a path of its own, and continues with that one. */
async function crash() {
  const crashed = await emptyDatabase('sqlite')
  for (const suffix of ['', '-wal', '.exists'])
    await copyFile(at.path + suffix, fileURLToPath(crashed) + suffix)
  await at.end()
  await at.use(crashed)
}

async function expectRefusal() {
  const refused = await at.add('refused')
  const detail =
    'The database file was moved, removed or replaced. Nothing can be stored until the operator has restored it. Nothing was changed.'
  expect(refused).toMatchObject({ status: 503, json: { title: 'Service Unavailable', detail } })
  expect(await at.ready()).toBe(503)
  expect((await at.list()).json.lists).toHaveLength(at.acknowledged.length)
}

describe('a database file that is no longer at its path', () => {
  beforeEach(() => startWithTask())

  const removals: [string, () => Promise<unknown>][] = [
    ['removed', () => rm(at.path)],
    ['removed with its log', () => Promise.all(['', '-wal', '-shm'].map((suffix) => rm(at.path + suffix)))],
    ['removed with its folder', () => rm(join(at.path, '..'), { recursive: true })],
    ['moved away', () => rename(at.path, `${at.path}.moved`)],
    [
      'replaced by another',
      () => copyFile(at.path, `${at.path}.copy`).then(() => rename(`${at.path}.copy`, at.path)),
    ],
    ['replaced by an empty file', () => rm(at.path).then(() => writeFile(at.path, ''))],
    ['emptied', () => truncate(at.path)],
  ]
  test.each(removals)('(%s) stops every acknowledgement and turns /readyz 503', async (_, remove) => {
    await remove()
    await expectRefusal()
  })

  test('and is moved back is used again at once, with all that was acknowledged and nothing that was refused', async () => {
    await rename(at.path, `${at.path}.moved`)
    await expectRefusal()
    // Under another name, it is the same file.
    await link(`${at.path}.moved`, at.path)
    expect((await at.add('after')).status).toBe(200)
    expect(await at.ready()).toBe(200)
    expect(titlesIn(at.path)).toEqual(at.acknowledged)
  })

  test('during a commit makes the outcome of the write unknown', async () => {
    const file = new DatabaseSync(at.path)
    const watched = watchSqliteFile(at.path)
    const db = new Kysely<Schema>({ dialect: sqliteDialect(file, watched.recordError) })
    // Called first after the commit.
    const committed = () => {
      renameSync(at.path, `${at.path}.aside`)
      watched.committed()
    }
    const write = batchWrites({ file, db }, maxBatchSize, { ...watched, committed }, () => {})
    await expect(write((tx) => tx.selectFrom('users').select('id').execute())).rejects.toThrow(
      /^The database file was moved, removed or replaced\. .* may or may not be stored/,
    )
    file.close()
  })

  test('but has a backup copied into it is left alone by the stop, also after it was found whole', async () => {
    await at.end()
    await copyFile(at.path, `${at.path}.backup`)
    const { database, close } = await startTestServer(at.url)
    at.stop = close
    await database.write((db) => db.updateTable('tasks').set({ title: 'after the backup' }).execute())
    await copyFile(`${at.path}.backup`, at.path)
    expect(database.fault()).toBeUndefined()
    await database.inspect(new AbortController().signal)
    expect(database.fault()).toBeUndefined()
    await at.end()
    // Without the WAL, which docs/operating.md says to remove before the next start.
    await copyFile(at.path, `${at.path}.found`)
    expect(titlesIn(`${at.path}.found`)).toEqual(['before'])
  })

  test.each(['-wal', '-shm'])('nor is its %s: acknowledged changes are in the database', async (suffix) => {
    await rm(at.path + suffix)
    await expectRefusal()
    await at.end()
    expect(titlesIn(at.path)).toEqual(at.acknowledged)
    await at.start()
    expect((await at.add('after')).status).toBe(200)
  })

  test('or whose WAL was emptied stops every acknowledgement', async () => {
    await truncate(`${at.path}-wal`)
    await at.add('refused')
    expect(at.acknowledged).toEqual(['before'])
    expect(await at.ready()).toBe(503)
  })
})

describe('a database file that is no longer at its path of a server process', () => {
  let program: ServerProcess
  const startProgram = async () => {
    program = await at.startProcess()
  }
  beforeEach(() => startWithTask(startProgram))

  test('is logged once, as an error that says what to do', async () => {
    await rm(at.path)
    await expectRefusal()
    await expect.poll(() => program.printed()).toMatch(/"level":50/)
    await expectRefusal()
    expect(await loggedBy(program)).toEqual([
      expect.objectContaining({
        level: 50,
        msg: `database: daymark.sqlite was removed while the server was running (${at.path}). Nothing is stored. If it was moved, move it back: the server then continues. Otherwise stop the server, restore a backup and start it again: "Backup and restore" in docs/operating.md`,
      }),
    ])
  })

  test('never loses a write that was acknowledged while it was moved away', async () => {
    let done = false
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let number = 0; !done; number++) await at.add(`${client} ${number}`)
    })
    await expect.poll(() => at.acknowledged.length).toBeGreaterThan(50)
    for (const suffix of ['', '-wal', '-shm']) await copyFile(at.path + suffix, `${at.path}.copy${suffix}`)
    for (const suffix of ['', '-wal', '-shm']) await rename(at.path + suffix, `${at.path}.moved${suffix}`)
    await expect.poll(() => at.ready()).toBe(503)
    done = true
    await Promise.all(clients)
    await at.end()
    expect(titlesIn(`${at.path}.moved`)).toEqual(expect.arrayContaining(at.acknowledged))
  })

  test('and has a backup in its place is left alone by the stop, so that the next start finds the backup whole', async () => {
    await program.stop()
    await copyFile(at.path, `${at.path}.backup`)
    await startProgram()
    await at.add('after the backup')
    // In the order of docs/operating.md, but without stopping the server first; into the same file, as cp does it.
    await rm(`${at.path}-wal`)
    await rm(`${at.path}-shm`)
    await copyFile(`${at.path}.backup`, at.path)
    expect((await at.add('refused')).status).toBe(503)
    expect((await program.stop()).code).toBe(0)
    expect(titlesIn(at.path)).toEqual(['before'])
    await at.start()
    expect((await at.add('goes on')).status).toBe(200)
  })
})

describe('a symbolic link in DATABASE_URL', () => {
  beforeEach(async () => {
    const folder = await mkdtemp(join(inject('folder'), 'link-'))
    await symlink(fileURLToPath(await emptyDatabase('sqlite')), join(folder, 'daymark.sqlite'))
    await startWithTask(at.start, pathToFileURL(join(folder, 'daymark.sqlite')))
  })

  test('is followed, and one that leads elsewhere stops every acknowledgement', async () => {
    await rm(at.path)
    await symlink(fileURLToPath(await emptyDatabase('sqlite')), at.path)
    await expectRefusal()
  })

  test('that leads nowhere any more, as without the disk it is on, stops the start', async () => {
    await at.end()
    await rm(at.path)
    await symlink('/nowhere/daymark.sqlite', at.path)
    await expectNoStart(`the database that was at ${at.path} is gone`)
  })
})

async function expectNoStart(reason: string) {
  const opened = openConfiguredDatabase(readConfig({ DATABASE_URL: at.url.href }))
  await expect(opened).rejects.toThrow(reason)
}

describe('a start where a database was before', () => {
  beforeEach(() => startWithTask())

  test.each([
    ['gone', () => rm(at.path)],
    ['empty', () => truncate(at.path)],
  ])('and is %s makes no new one, and says how to restore and how to start afresh', async (state, lose) => {
    await at.end()
    await lose()
    const before = await readdir(join(at.path, '..'))
    expectRefused(
      await runServer({ DATABASE_URL: at.url.href }),
      `DATABASE_URL: the database cannot be opened: the database that was at ${at.path} is ${state}; restore a backup (see "Backup and restore" in docs/operating.md), or remove ${at.path}.exists to start with an empty database`,
    )
    expect(await readdir(join(at.path, '..'))).toEqual(before)

    await rm(`${at.path}.exists`)
    await at.start()
    expect((await at.call('POST /user/register', { body: ada })).status).toBe(200)
  })

  test('and lost its WAL, which contained every table, makes no new one', async () => {
    await crash()
    await rm(`${at.path}-wal`)
    await expectNoStart(`the database that was at ${at.path} is empty`)
  })

  test('by a version that left no marker is recognized by its WAL, and the next start leaves a marker', async () => {
    await crash()
    await rm(`${at.path}.exists`)
    await copyFile(at.path, `${at.path}.kept`)
    await rm(at.path)
    await expectNoStart(`or remove ${at.path}-wal to start`)
    await rename(`${at.path}.kept`, at.path)
    await at.start()
    await at.end()
    await rm(at.path)
    await expectNoStart(`or remove ${at.path}.exists to start`)
  })

  test('and a backup is now uses the backup', async () => {
    await at.end()
    await copyFile(at.path, `${at.path}.backup`)
    await rm(at.path)
    await rename(`${at.path}.backup`, at.path)
    await at.start()
    expect((await at.list()).json.lists).toHaveLength(1)
  })
})
