import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open-database.ts'
import type { Db } from '../database/schema.ts'
import { type Engine, onEveryEngine } from '../testing/engines.ts'
import { serverForTest } from '../testing/test-server.ts'

/** Returns a connection that sees the database as it is now, whatever is written later. */
async function snapshot(engine: Engine, url: URL): Promise<Db> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  if (engine === 'sqlite') {
    await sql`begin`.execute(database.read)
    await database.read.selectFrom('users').select('id').execute()
    return database.read
  }
  const transaction = await database.read.startTransaction().setIsolationLevel('repeatable read').execute()
  onTestFinished(async () => void (await transaction.rollback().execute()))
  await transaction.selectFrom('users').select('id').execute()
  return transaction
}

/** Answers the next statements of the server with these connections. */
function answerNext(database: Database, ...connections: Db[]) {
  const primary = database.read
  Object.defineProperty(database, 'read', { get: () => connections.shift() ?? primary })
}

onEveryEngine('a list read from a replica that is behind', (engine) => {
  test.each(['GET /list/getLatestTasks', 'GET /list/getLatestTasks?limit=1'])(
    '%s is not cached as the list of the newer version that came with the session',
    async (list) => {
      const server = await serverForTest(engine)
      const user = await server.newUser()
      await user.addTask({ title: 'old', body: 'b'.repeat(10_000) })
      const replica = await snapshot(engine, server.url)
      await user.addTask({ title: 'new' })
      const titles = async () => (await user.call(list)).json.lists.map(({ title }) => title)

      const { read } = server.database
      answerNext(server.database, read, replica)
      expect((await titles())[0]).toBe('old')
      expect((await titles())[0]).toBe('new')
    },
  )
})
