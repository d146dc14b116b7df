import { copyFile, open, stat, truncate } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase } from '../database/open-database.ts'
import { openSqlite } from '../database/sqlite/database.ts'
import { fileServer, loggedBy } from '../testing/file-server.ts'
import { listen } from '../testing/raw-client.ts'

const pageSize = 4096

const at = fileServer()
/** Starts the server, which looks for damage while it listens. */
const start = async () => void (await listen(await at.start()))
const add = (title: string) => at.add(title, 'x'.repeat(3500))

/** A database with tasks on about two hundred pages, without a WAL file. */
let sound: string
beforeAll(async () => {
  await at.use()
  sound = at.path
  await start()
  await at.signUp()
  await Promise.all(Array.from({ length: 200 }, (_, number) => add(`task ${number}`)))
  await at.end()
})
beforeEach(async () => {
  await at.use()
  await copyFile(sound, at.path)
})

/** Overwrites whole pages with the result of `fill`. Page numbers start at 1, as in SQLite. */
async function overwrite(pages: number[], fill: () => Buffer) {
  const file = await open(at.path, 'r+')
  for (const page of pages) await file.write(fill(), 0, pageSize, (page - 1) * pageSize)
  await file.close()
}

/** Returns the pages of one table or index. */
function pagesOf(name: string): number[] {
  using file = new DatabaseSync(at.path, { readOnly: true })
  const root = file.prepare('select rootpage from sqlite_schema where name = ?').get(name)
  return [Number(root?.rootpage)]
}

async function allPagesButFirst() {
  const { size } = await stat(at.path)
  return Array.from({ length: size / pageSize - 1 }, (_, index) => index + 2)
}

const cutOff = async () => truncate(at.path, (await stat(at.path)).size / 2)
const noise = () => Buffer.alloc(pageSize, 'not a page of a database ')
const zeros = () => Buffer.alloc(pageSize)

const expectNotReady = () => expect.poll(() => at.ready()).toBe(503)

async function expectFault() {
  await expectNotReady()
  expect(await add('refused')).toMatchObject({
    status: 503,
    json: { title: 'Service Unavailable', detail: expect.stringMatching(/^The database file is damaged\. /) },
  })
}

describe('pages overwritten while no server runs', () => {
  const damages: [string, () => Promise<void>][] = [
    ['an index', async () => overwrite(pagesOf('tasks_by_day_and_place'), noise)],
    ['the tasks, with text', async () => overwrite(pagesOf('tasks'), noise)],
    ['the tasks, with zeros', async () => overwrite(pagesOf('tasks'), zeros)],
    ['one page that no usual call reads', async () => overwrite(pagesOf('attempts'), noise)],
  ]
  test.each(damages)('(%s) are detected after the start, without a call', async (_, damage) => {
    await damage()
    await start()
    await expectNotReady()
  })

  test('make a list that reads them, every write and /readyz respond with 503, and are logged once', async () => {
    await overwrite(pagesOf('tasks'), noise)
    const program = await at.startProcess()
    const json = { detail: 'The database file is damaged. The operator must restore it.' }
    for (const answer of [await at.list(), await at.list()])
      expect(answer).toMatchObject({ status: 503, json })
    await expectFault()
    await expect.poll(() => program.printed()).toMatch(/"level":50/)
    await at.list()
    expect((await loggedBy(program)).map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        /^database: the database \/.*\/daymark\.sqlite is damaged \(.+\)\. Nothing is stored\. Stop the server, restore a backup and start it again: /,
      ),
    ])
  })
})

test('a query that fails because of damage stops all later writes, before any integrity check', async () => {
  await overwrite(pagesOf('tasks'), noise)
  const database = await openSqlite(at.url)
  const visit = () => database.write((db) => db.selectFrom('users').select('id').execute())
  expect(await visit()).toHaveLength(1)
  await expect(database.read.selectFrom('tasks').selectAll().execute()).rejects.toThrow()
  expect(database.fault()?.code).toBe('database-damaged')
  await expect(visit()).rejects.toThrow('Nothing was changed.')
  await database.close()
})

test.each([
  ['cut off in the middle', cutOff],
  ['overwritten at its beginning', () => overwrite([1], noise)],
])('a database file that is %s prevents the start, with one line', async (_, damage) => {
  await damage()
  await expect(openConfiguredDatabase(readConfig({ DATABASE_URL: at.url.href }))).rejects.toThrow(
    /^DATABASE_URL: the database cannot be opened: \S+ is damaged or not a database \(.+\); restore a backup: .*$/,
  )
})

describe('pages overwritten under a running server', () => {
  beforeEach(start)

  test.each([
    ['with noise', async () => overwrite(await allPagesButFirst(), noise)],
    ['with zeros', async () => overwrite(await allPagesButFirst(), zeros)],
    ['or cut off', cutOff],
  ])('%s are detected without a call, and no later write is acknowledged', async (_, damage) => {
    await damage()
    await expectFault()
    expect(await at.list()).toMatchObject({ status: 503 })
  })

  test('make the write that reads them fail, with all writes in its transaction', async () => {
    await overwrite(await allPagesButFirst(), noise)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => add(`together ${number}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(503))
    expect(await at.ready()).toBe(503)
  })

  test('by a valid database are no fault', async () => {
    const file = await open(at.path, 'r+')
    const { mtime } = await file.stat()
    await file.utimes(mtime, new Date(mtime.getTime() + 1000))
    await file.close()
    expect((await add('goes on')).status).toBe(200)
    expect(await at.ready()).toBe(200)
  })
})
