import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../testing/engines.ts'
import { eventually } from '../testing/raw-client.ts'
import { startServer } from '../testing/server-process.ts'
import { aTask } from '../testing/test-client.ts'
import { serverForAll, userForAll } from '../testing/test-server.ts'

const server = serverForAll('sqlite')
const user = userForAll(server)

/** Limits the size of the file. With a limit below the current size, SQLite fails as it does on a full disk. */
const limitPages = (pages: number) =>
  server.database.write((db) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db))

const add = (title: string) =>
  user.call('POST /list/addTask', { body: { ...aTask, title, body: 'x'.repeat(5000) } })

async function storedTitles() {
  const tasks = await server.database.read.selectFrom('tasks').select('title').execute()
  return tasks.map(({ title }) => title).sort()
}

test('on a full disk writes are rejected with 507 and reads succeed; writes succeed again once there is space', async () => {
  const acknowledged: string[] = []
  await limitPages(1)
  // Some writes may still fit into free pages of the file. Those that were acknowledged must remain stored.
  const answers: Awaited<ReturnType<typeof add>>[] = []
  for (let round = 0; round < 10; round++) {
    const titles = Array.from({ length: 8 }, (_, i) => `${round} ${i}`)
    for (const [i, answer] of (await Promise.all(titles.map(add))).entries()) {
      answers.push(answer)
      if (answer.status === 200) acknowledged.push(titles[i] as string)
    }
  }
  const detail = 'The server has no storage space left. Nothing was changed.'
  expect(answers.at(-1)).toMatchObject({
    ...{ status: 507, headers: { 'content-type': expect.stringMatching(/^application\/problem\+json/) } },
    json: { type: 'about:blank', title: 'Insufficient Storage', status: 507, detail },
  })
  expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2)
  expect(await storedTitles()).toEqual(acknowledged.sort())
  expect(await user.tasks()).toHaveLength(Math.min(acknowledged.length, 50))
  expect((await add('no room')).status).toBe(507)
  const statusOf = async (url: string) => (await server.app.inject(url)).statusCode
  // The answer of a probe just before is used for a second.
  await eventually(() => statusOf('/readyz')).toBe(503)
  expect(await statusOf('/livez')).toBe(200)
  expect((await user.call('GET /list/getLatestTasks')).status).toBe(200)

  await limitPages(1_000_000)
  await eventually(() => statusOf('/readyz')).toBe(200)
  expect((await add('there is room again')).status).toBe(200)
  expect(await storedTitles()).toEqual([...acknowledged, 'there is room again'].sort())
  const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(server.database.read)
  expect(check.rows).toEqual([{ integrity_check: 'ok' }])
})

test('a full disk leaves the WAL beside the file and the server unready: the stop succeeds and nothing is lost', async () => {
  const DATABASE_URL = (await emptyDatabase('sqlite')).href
  const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
  const large = { ...aTask, title: 'large', body: 'x'.repeat(90_000) }
  const first = await startServer({ DATABASE_URL })
  const { token } = (await first.call('POST /user/register', { body: ada })).json
  for (let number = 0; number < 8; number++) await first.call('POST /list/addTask', { token, body: large })
  await first.stop()

  // Files of 128 KiB at most: the log may grow to that, but the new pages are beyond it in the database.
  const limited = ['sh', '-c', 'ulimit -f 256; exec "$0" "$@"']
  const second = await startServer({ DATABASE_URL }, limited)
  const kept = { ...large, title: 'kept', body: 'y'.repeat(20_000) }
  expect((await second.call('POST /list/addTask', { token, body: kept })).status).toBe(200)
  expect((await second.call('POST /list/addTask', { token, body: large })).status).toBe(507)
  const small = { ...large, title: 'small', body: '' }
  while ((await second.call('POST /list/addTask', { token, body: small })).status !== 507);
  const statusOf = async (path: string) => (await fetch(new URL(path, second.api))).status
  expect([await statusOf('/readyz'), await statusOf('/livez')]).toEqual([503, 200])
  expect(await second.stop()).toMatchObject({ code: 0, stderr: '' })

  const third = await startServer({ DATABASE_URL })
  const { lists } = (await third.call('GET /list/getLatestTasks', { token })).json
  await third.stop('SIGKILL')
  const titles = lists.map(({ title }) => title).filter((title) => title !== 'small')
  expect(titles).toEqual(['kept', ...Array(8).fill('large')])
})
