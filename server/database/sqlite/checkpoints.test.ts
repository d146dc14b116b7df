import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, existsSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyDatabase } from '../../testing/engines.ts'
import { addUser } from '../../testing/open-test-database.ts'
import { rounds } from '../../testing/rounds.ts'
import type { Database } from '../database.ts'
import { openSqlite } from './database.ts'

let database: Database
let path: string
beforeEach(async () => {
  path = fileURLToPath(await emptyDatabase('sqlite'))
  await open()
})
afterEach(() => database.close())

async function open() {
  database = await openSqlite(pathToFileURL(path), { checkpointPages: 20 })
}

const addUsers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => database.write((db) => addUser(db))))

/** Counts the users in the database file alone, as if the WAL were lost. */
function usersInFile(): unknown {
  const copy = `${path}.copy`
  copyFileSync(path, copy)
  using file = new DatabaseSync(copy)
  return file.prepare('select count(*) as count from users').get()?.count
}

/** Adds users without a pause until SQLite has returned to the beginning of the WAL that many times. */
async function writeUntilRestarted(times: number) {
  const salts = new Set<string>()
  const write = async () => {
    while (salts.size <= times) {
      await addUsers(1)
      salts.add(saltOf(`${path}-wal`))
    }
  }
  await Promise.all([write(), write(), write()])
}

/** Returns the bytes that SQLite changes in the header whenever it begins the WAL again (https://sqlite.org/walformat.html). */
function saltOf(log: string): string {
  const file = openSync(log, 'r')
  const header = Buffer.alloc(32)
  readSync(file, header)
  closeSync(file)
  return header.toString('hex', 16, 24)
}

test('SQLite returns to the beginning of the WAL although neither writes nor queries pause', async () => {
  let isWriting = true
  const writing = writeUntilRestarted(5).finally(() => (isWriting = false))
  while (isWriting) {
    await database.read.selectFrom('users').select('id').limit(1).execute()
    await nextTurn()
  }
  await writing
})

test('A checkpoint is not taken for a change by another program', async () => {
  await writeUntilRestarted(5)
  expect(database.fault()).toBeUndefined()
  // After a change by another program, the WAL would remain.
  await database.close()
  expect(existsSync(`${path}-wal`)).toBe(false)
  await open()
})

test('Closing copies the WAL although another program has the database open', async () => {
  await database.close()
  database = await openSqlite(pathToFileURL(path))
  using other = new DatabaseSync(path)
  other.exec('select 1 from users')
  await addUsers(3)
  expect(usersInFile()).toBe(0)
  await database.close()
  expect(usersInFile()).toBe(3)
  await open()
})

test('A server that stops after a checkpoint leaves the WAL to another server', async () => {
  const second = await openSqlite(pathToFileURL(path))
  do await addUsers(10)
  while (!isWalCopied())
  expect(second.fault()).toBeUndefined()
  await database.close()
  expect(second.fault()).toBeUndefined()
  database = second
  await addUsers(1)
})

/** Whether all of the WAL is in the database file. */
function isWalCopied(): boolean {
  using file = new DatabaseSync(path)
  file.exec('select 1 from sqlite_schema')
  const { log, checkpointed } = file.prepare('pragma wal_checkpoint(noop)').get() ?? {}
  return log === checkpointed
}

/** Adds users with a checkpoint at nearly every commit, and prints the id of each one that is stored. */
const writer = (url: URL) => `
  import { openSqlite } from '${new URL('./database.ts', import.meta.url)}'
  import { insertUser } from '${new URL('../../users/user-queries.ts', import.meta.url)}'
  const { write } = await openSqlite(new URL('${url}'), { checkpointPages: 20 })
  const add = async () => {
    const user = { name: 'Ada', email: crypto.randomUUID(), passwordHash: '' }
    console.log(await write((db) => insertUser(db, user, 0)))
    add()
  }
  for (let client = 0; client < 8; client++) add()
`

test('kill -9 during checkpoints loses no acknowledged write', async () => {
  await database.close()
  const acknowledged: string[] = []
  for (let round = 0; round < rounds(8); round++) {
    const args = ['--input-type=module', '--eval', writer(pathToFileURL(path))]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
      if (printed.length > 20_000 + Math.random() * 20_000) child.kill('SIGKILL')
    })
    await once(child, 'close')
    acknowledged.push(...printed.split('\n').slice(0, -1))
  }
  await open()
  const users = await database.read.selectFrom('users').select('id').execute()
  expect(new Set(acknowledged).difference(new Set(users.map(({ id }) => id)))).toEqual(new Set())
  expect(acknowledged.length).toBeGreaterThan(1000)
  using file = new DatabaseSync(path, { readOnly: true })
  expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})
