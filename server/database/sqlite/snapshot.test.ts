import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addUser, openTestDatabase, type TestDatabase } from '../../testing/open-test-database.ts'
import { runRequestAs } from '../../turns/turns.ts'

let database: TestDatabase
/** A connection of another program. */
let other: DatabaseSync
beforeEach(async () => {
  database = await openTestDatabase('sqlite')
  other = new DatabaseSync(fileURLToPath(database.url))
  await database.write((db) => addUser(db, 'ada@example.org'))
})
afterEach(async () => {
  other.close()
  await database.close()
})
const becomeGrace = () => other.exec("update users set email = 'grace@example.org'")

test('Queries of one turn read the same state, and those of the next turn the newest', async () => {
  await nextTurn()
  // However slow the other commit is, it does not use up the time of the turn.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  expect(await database.emails()).toEqual(['ada@example.org'])
  becomeGrace()
  expect(await database.emails()).toEqual(['ada@example.org'])
  clock.mockRestore()
  await nextTurn()
  expect(await database.emails()).toEqual(['grace@example.org'])
})

test('A request that arrives right after a commit of another server reads it, whatever was read in that turn before', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port)
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  const { promise: arrived, resolve } = Promise.withResolvers<string[]>()
  socket.once('data', () => runRequestAs(['clients'], () => resolve(database.emails())))
  // Nothing is left of the turns before. The snapshot is opened behind the phase of the event loop in which requests arrive, and must
  // have ended when the requests of the next such phase are started.
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(await database.emails()).toEqual(['ada@example.org'])
  becomeGrace()
  client.write('GET')
  expect(await arrived).toEqual(['grace@example.org'])
  client.destroy()
  server.close()
})

test('A request reads what was stored before it arrived, also when an earlier request of that turn has it started before the turn ends', async () => {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  runRequestAs(['clients'], () => {})
  expect(await database.emails()).toEqual(['ada@example.org'])
  becomeGrace()
  const { promise: read, resolve } = Promise.withResolvers<string[]>()
  runRequestAs(['clients'], () => resolve(database.emails()))
  expect(await read).toEqual(['grace@example.org'])
})

test('The database can be closed in the turn of a query', async () => {
  await database.emails()
  await database.close()
  await nextTurn()
  database = await openTestDatabase(database.url)
})
