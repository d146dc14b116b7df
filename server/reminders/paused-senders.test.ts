import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, type TestContext, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open-database.ts'
import { newId } from '../new-id.ts'
import { hashOf, newToken } from '../sessions/token.ts'
import { migratedDatabase } from '../testing/engines.ts'
import { addUser } from '../testing/open-test-database.ts'
import { certificate, newBrowser, startPushService } from '../testing/push-service.ts'
import { startServer } from '../testing/server-process.ts'

// Real processes that are paused and killed while they send. Most of the time, the tests wait for the end of a lease.

const people = 120

/** Two servers on one database, and a push service. */
async function startBoth({ onTestFinished }: TestContext) {
  const service = await startPushService()
  const url = await migratedDatabase('postgres')
  const database = await openDatabase(url)
  const NODE_EXTRA_CA_CERTS = join(inject('folder'), `${newId()}.pem`)
  await writeFile(NODE_EXTRA_CA_CERTS, certificate)
  const start = () => startServer({ DATABASE_URL: url.href, PUSH_HOSTS: 'localhost', NODE_EXTRA_CA_CERTS })
  const [one, two] = await Promise.all([start(), start()])
  onTestFinished(async () => {
    service.endConnections()
    for (const server of [one, two]) await server.stop('SIGKILL')
    await database.close()
    await service.close()
  })
  const byPath = () => Map.groupBy(service.received, ({ path }) => path)
  const add = (count: number) => addReminders(database, service.origin, count)
  return { service, database, one, two, byPath, addReminders: add }
}

/** Adds people with one reminder each that is due now, and returns their browsers. Servers learn of them by their looks. */
async function addReminders(database: Database, origin: string, count: number) {
  const now = Date.now()
  const minute = new Date(Math.floor(now / 60_000) * 60_000)
  const browsers = Array.from({ length: count }, () => newBrowser(origin, `/${newId()}`))
  await database.write(async (db) => {
    for (const { subscription, path } of browsers) {
      const id = await addUser(db)
      const [item, token, reminder] = [newId(), hashOf(newToken(id)), minute.toISOString().slice(0, 16)]
      await db.updateTable('users').set({ settings: '{"zone":"UTC"}' }).where('id', '=', id).execute()
      const own = { user_id: id, created_at: now }
      const session = { ...own, token_hash: token, last_used_at: now }
      await db.insertInto('sessions').values(session).execute()
      const device = { ...own, id: path.slice(1), token_hash: token, origin: 'https://x.org' }
      const pushed = { ...device, endpoint: subscription.endpoint, ...subscription.keys }
      await db.insertInto('subscriptions').values(pushed).execute()
      const task = { ...own, id: item, version: 0, title: 'Call', body: '', priority: 1 }
      const due = { ...task, due_date: '2099-01-01', reminders: reminder }
      await db.insertInto('tasks').values(due).execute()
      const state = { state: 'to come', message: null, remind_at: minute.getTime(), due: now } as const
      const job = { user_id: id, item, reminder, ...state }
      await db.insertInto('reminder_jobs').values(job).execute()
    }
  })
  return browsers
}

const long = { timeout: 60_000, interval: 50 }

test.concurrent('a server that was paused while it sent sends nothing of what another has sent since, which does so within 20 seconds', async (context) => {
  const { expect } = context
  const { service, database, one, two, byPath, addReminders } = await startBoth(context)
  two.pause()
  let pausedAt = 0
  service.behaviour.answer = (response) => {
    // The first request stops the server that sends all.
    if (pausedAt === 0) {
      one.pause()
      pausedAt = performance.now()
      two.resume()
    }
    response.writeHead(201).end()
  }
  await addReminders(people)
  await expect.poll(() => byPath().size, long).toBe(people)
  expect(performance.now() - pausedAt).toBeLessThan(20_000)
  // The other server has marked all of them. What had left the paused one is in this process by now.
  const left = () => database.read.selectFrom('push_messages').select('id').execute()
  await expect.poll(left, long).toEqual([])
  const before = service.received.length
  one.resume()
  two.pause()
  const [last] = await addReminders(1)
  await expect.poll(() => byPath().get(last?.path ?? '')?.length, long).toBe(1)
  // A process cannot compare a clock and write in one step: if the pause comes between the two, that one request leaves on waking.
  expect(service.received.length - before - 1).toBeLessThanOrEqual(1)
})

test.concurrent('of a server that is killed, another one sends again only what was in flight, with the same topic and tag', async (context) => {
  const { expect } = context
  const { service, one, two, byPath, addReminders } = await startBoth(context)
  two.pause()
  const atOne: string[] = []
  service.behaviour.answer = (_response, { path }) => void atOne.push(path)
  const browsers = await addReminders(people)
  await expect.poll(() => atOne.length, long).toBe(100)
  await one.stop('SIGKILL')
  service.behaviour.answer = (response) => response.writeHead(201).end()
  two.resume()
  await expect.poll(() => service.received.length, long).toBe(people + atOne.length)
  expect(byPath().size).toBe(people)
  for (const [path, all] of byPath()) {
    expect(all).toHaveLength(atOne.includes(path) ? 2 : 1)
    expect(new Set(all.map(({ headers }) => headers.topic)).size).toBe(1)
    const browser = browsers.find((each) => each.path === path)
    expect(new Set(all.map(({ body }) => browser?.decrypt(body).notification.tag)).size).toBe(1)
  }
})
