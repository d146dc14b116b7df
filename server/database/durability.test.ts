import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../testing/engines.ts'
import { rounds } from '../testing/rounds.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'
import { aTask } from '../testing/test-client.ts'

const crashes = rounds(200, 3)
const clients = 16

/** A body longer than one page of the file and derived from the title, so that a partial write can be detected. */
const bodyOf = (title: string) => createHash('sha256').update(title).digest('hex').repeat(80)

test(
  `after ${crashes} times kill -9 during writes by 16 clients, every acknowledged write is stored completely`,
  async () => {
    const url = await emptyDatabase('sqlite')
    const acknowledged = new Set<string>()
    const body = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
    let token = ''
    for (let round = 0; round < crashes; round++) {
      const server = await startServer({ DATABASE_URL: url.href })
      if (round === 0) token = (await server.call('POST /user/register', { body })).json.token
      expectComplete(url, acknowledged)
      await writeUntilKilled(server, token, acknowledged)
    }
    const server = await startServer({ DATABASE_URL: url.href })
    expectComplete(url, acknowledged)
    await server.stop('SIGKILL')
  },
  crashes * 20_000,
)

/** Adds tasks from all clients and kills the server while requests are in progress. */
async function writeUntilKilled(server: ServerProcess, token: string, acknowledged: Set<string>) {
  const killAt = acknowledged.size + 1 + Math.floor(Math.random() * 100)
  const write = async (client: number) => {
    for (let number = 0; ; number++) {
      const title = `${server.api} ${client} ${number} ${acknowledged.size}`
      const body = { ...aTask, title, body: bodyOf(title) }
      const answer = await server.call('POST /list/addTask', { token, body }).catch(() => undefined)
      if (!answer) return
      expect(answer.status).toBe(200)
      acknowledged.add(title)
      if (acknowledged.size === killAt) server.stop('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => write(client)))
  await server.stop('SIGKILL')
}

/** Checks the database file directly, not through the server. */
function expectComplete(url: URL, acknowledged: Set<string>) {
  using file = new DatabaseSync(fileURLToPath(url), { readOnly: true })
  const stored = new Set<string>()
  for (const { title, body } of file.prepare('select title, body from tasks').iterate()) {
    if (body !== bodyOf(String(title))) throw new Error(`only half of ${title} was stored`)
    stored.add(String(title))
  }
  expect(acknowledged.difference(stored)).toEqual(new Set())
  expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(file.prepare('pragma foreign_key_check').all()).toEqual([])
  expect(file.prepare('select task_count from users').all()).toEqual([{ task_count: stored.size }])
}
