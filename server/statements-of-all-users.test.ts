import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { readConfig } from './config.ts'
import { newId } from './new-id.ts'
import { reminderSender } from './reminders/reminder-sender.ts'
import { migratedDatabase } from './testing/engines.ts'
import { openStream } from './testing/open-stream.ts'
import { newBrowser } from './testing/push-service.ts'
import { listen } from './testing/raw-client.ts'
import { startTestServer } from './testing/test-server.ts'

/** What reads or writes rows of users without naming them. On a distributed database, each concerns all its parts. */
const written: string[] = []

/** Tables of one row, of rows that all parts have, or whose rows are found by their own key. */
const keys: Record<string, string> = { users: 'id', accounts: 'email', attempts: 'key', push: 'id' }

test('the statements that concern all users are a written list', async () => {
  const url = await migratedDatabase('postgres')
  const texts = new Set<string>()
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given as [string | { text: string }]
    texts.add(typeof first === 'string' ? first : first.text)
    return query.apply(this, given as Parameters<typeof query>)
  } as typeof query)
  onTestFinished(() => spy.mockRestore())
  const server = await startTestServer(url, { PUSH_HOSTS: 'localhost', REGISTRATION: 'first-user' })
  const config = readConfig({ LOG_LEVEL: 'silent', PUSH_HOSTS: 'localhost' })
  const sender = reminderSender({ config, database: server.database }, () => {})
  onTestFinished(async () => {
    await sender.close()
    await server.close()
  })
  const person = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
  await server.call('POST /user/register', { body: person })
  const { token } = (await server.call('POST /user/login', { body: person })).json
  const call = (endpoint: string, body?: object) => server.call(endpoint, { token, body })
  const at = new Date().toISOString()
  const item = (
    await call('POST /list/addTask', {
      title: 'A #task',
      dueDate: '2099-01-01',
      dueTime: '15:00',
      priority: 'low',
    })
  ).json.task._id
  const note = newId()
  const changes = (values: object[]) => call('POST /changes', { changes: values })
  await call('PATCH /settings', { settings: { zone: 'UTC', quietFrom: '22:00', quietUntil: '07:00' } })
  await changes([{ mutation: newId(), item: note, kind: 'note', set: { text: 'A note' } }])
  await changes([{ mutation: newId(), item, set: { done: true } }])
  await changes([{ mutation: newId(), item, set: { done: false, repeat: 'FREQ=DAILY' } }])
  await changes([{ mutation: newId(), item, set: { deleted: true } }])
  const { subscription } = newBrowser('https://localhost:1', '/x')
  await call('PUT /reminders/subscription', subscription)
  for (const scope of ['read', 'feed']) await call('POST /tokens', { name: 'A program', scope })
  const { id, key } = (await call('POST /export')).json.export
  await call(`GET /export/${id}`)
  await server.app.inject(`${apiBase}/export?key=${key}`)
  const imported = { _id: newId(), title: 'Imported', createdAt: at }
  await call('POST /import', { id: newId(), tasks: [imported], notes: [] })
  const calls = [
    ...['getLatestTasks', 'getTodayTasks', 'getUpcomingTasks', 'getOverdueTasks'].map(
      (each) => `/list/${each}`,
    ),
    ...['/changes', '/notes', `/notes/${note}`, `/notes/${note}/versions`, `/tasks/${item}`, '/settings'],
    ...[
      '/account',
      '/account/sessions',
      '/tokens',
      '/reminders',
      '/search?q=task',
      '/import',
      '/user/validate',
    ],
  ]
  for (const path of calls) await call(`GET ${path}`)
  await call('DELETE /reminders/missed')
  const stream = await openStream(await listen(server.app), token)
  await stream.next()
  stream.abort()
  await sender.turn()
  await sender.settled()
  await call('DELETE /account', { password: person.password })
  // The sweep has run since the server listens, and once more after the deletion.
  await expect
    .poll(() => [...texts].some((text) => /delete from "?users"?/.test(text)), { timeout: 60_000 })
    .toBe(true)
  await expect
    .poll(() => [...texts].some((text) => /delete from "?guesses"?/.test(text)), { timeout: 60_000 })
    .toBe(true)
  expect([...texts].flatMap((text) => concernsAll(text) ?? []).sort()).toEqual(written)
})

/** Returns the shortened text of a statement whose conditions name no user, and no key of a table that has another one. */
function concernsAll(text: string): string | undefined {
  const plain = text.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()
  const [, table = ''] = /(?:^| )(?:from|update|insert into) (\w+)/.exec(plain) ?? []
  if (!/^(?:select|update|delete|with)/.test(plain) || !isOfUsers(table)) return undefined
  const [, ...conditions] = plain.split(/ where /)
  const column = keys[table] ?? 'user_id'
  const named = new RegExp(`\\b(?:${column}|user_id)\\b\\)? (?:=|in)|\\(user_id, `)
  return conditions.some((condition) => named.test(condition)) ? undefined : plain.slice(0, 150)
}

const isOfUsers = (table: string) =>
  ['users', 'accounts', 'sessions', 'subscriptions', 'reminder_jobs', 'push_messages'].includes(table) ||
  ['tasks', 'notes', 'versions', 'changes', 'attempts', 'guesses'].includes(table)
