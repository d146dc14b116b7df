import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { newId } from '../new-id.ts'
import { onPostgres } from '../testing/engines.ts'
import { watchQueries } from '../testing/postgres-queries.ts'
import { newBrowser, startPushService } from '../testing/push-service.ts'
import { startSenders } from '../testing/reminder-senders.ts'
import { startTestServer, type TestUser } from '../testing/test-server.ts'

const environment = { PUSH_HOSTS: 'localhost' }
const day = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString()
const dueAt = Date.parse(`${day}T15:00Z`)

test('while a part of the database cannot be reached, its own people wait for their reminders and nobody else does, and no call needs what all share', async () => {
  const service = await startPushService()
  const server = await startTestServer('postgres', environment)
  const people: (TestUser & { path: string })[] = []
  for (let index = 0; index < 6; index++) {
    const user = await server.newUser()
    await user.setSettings({ zone: 'UTC' })
    const { subscription, path } = newBrowser(service.origin, `/${newId()}`)
    await user.call('PUT /reminders/subscription', { body: subscription })
    await user.addTask({ title: 'Call', dueDate: day, dueTime: '15:00' })
    people.push({ ...user, path })
  }
  const dead = new Set(people.slice(0, 3).map(({ id }) => id))
  let isDown = false
  const failure = () => Object.assign(new pg.DatabaseError('worker', 0, 'error'), { code: '57P01' })
  // A statement that reads rows of users fails unless its parameters name only reachable ones.
  watchQueries(async (text, run, values) => {
    const isOfUsers = /"?(users|reminder_jobs|push_messages|subscriptions|tasks|push)"?\b/.test(text)
    const named = values.flat().filter((value) => typeof value === 'string' && /^[\da-f-]{36}$/.test(value))
    const isWhole = named.length === 0 && !text.includes('as reachable')
    if (isDown && isOfUsers && (isWhole || named.some((id) => dead.has(id as string)))) throw failure()
    return await run()
  })
  const database: Database = {
    ...server.database,
    isOfOnePart: (error) => (error as pg.DatabaseError).code === '57P01',
    shardsOf: async (ids) => new Map(ids.map((id) => [id, dead.has(id) ? 'dead' : 'alive'])),
    async ofReachableParts(table, ask) {
      const column = table === 'users' ? 'id' : 'user_id'
      const ids = [...dead].map((id) => `'${id}'`)
      const answer = await onPostgres(
        server.url,
        ask(`(select * from ${table} where ${column} not in (${ids})) as reachable`),
      )
      return answer.map((row) => ({ ...row, due: Number(row.due), count: Number(row.count) }) as never)
    },
  }
  const { until, close } = startSenders([{ database }], environment)
  onTestFinished(async () => {
    await close()
    await server.close()
    await service.close()
  })
  await until(dueAt - 60_000)
  isDown = true
  for (const user of people.slice(3)) {
    const { status, json } = await user.call('GET /reminders')
    expect([status, json.reminders?.isOn]).toEqual([200, true])
  }
  for (const time of [dueAt, dueAt + 60_000]) await until(time)
  const paths = () => service.received.map(({ path }) => path).sort()
  const pathsOf = (some: typeof people) => some.map(({ path }) => path).sort()
  expect(paths()).toEqual(pathsOf(people.slice(3)))
  isDown = false
  await until(dueAt + 120_000)
  expect(paths()).toEqual(pathsOf(people))
})
