import fastify from 'fastify'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { followChanges, followEarlierServers } from './earlier-servers.ts'
import { storedDatabase } from './testing/stored-database.ts'

/** A database with the changes of an earlier server. */
async function changedDatabase() {
  const database = await openDatabase(await storedDatabase('sqlite', '0.1.0'))
  onTestFinished(() => database.close())
  await database.write((db) => db.updateTable('changes').set({ rules: 0 }).execute())
  return database
}

const isFollowed = async ({ read }: Database) =>
  (await sql`select 1 from changes where rules = 0 limit 1`.execute(read)).rows.length === 0

test('after a failure, changes of earlier servers are looked for as soon as during an upgrade', async () => {
  const database = await changedDatabase()
  await database.write((db) => sql`alter table changes rename to unreadable`.execute(db))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const app = fastify()
  onTestFinished(async () => {
    vi.useRealTimers()
    await app.close()
  })
  followEarlierServers(app, database)
  await app.listen({ port: 0 })
  await vi.advanceTimersByTimeAsync(0)
  await database.write((db) => sql`alter table unreadable rename to changes`.execute(db))
  expect(await isFollowed(database)).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  await expect.poll(() => isFollowed(database)).toBe(true)
})

test('while a part of the database cannot be reached, changes in the others are followed', async () => {
  const database = await changedDatabase()
  const lost = await openDatabase(await storedDatabase('sqlite', '0.1.0'))
  await lost.close()
  const partly: Database = {
    ...database,
    read: lost.read,
    isOfOnePart: () => true,
    ofReachableParts: async <Row>(table: string, query: (table: string) => string) =>
      (await sql.raw<Row>(query(table)).execute(database.read)).rows,
  }
  expect(await followChanges(partly)).toBe(true)
  expect(await isFollowed(database)).toBe(true)
})
