import { expect, onTestFinished, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { readConfig } from './config.ts'
import { tables } from './database/schema.ts'
import { newId } from './new-id.ts'
import { reminderSender } from './reminders/reminder-sender.ts'
import { migratedDatabase } from './testing/engines.ts'
import { openStream } from './testing/open-stream.ts'
import { watchQueries } from './testing/postgres-queries.ts'
import { newBrowser } from './testing/push-service.ts'
import { listen } from './testing/raw-client.ts'
import { startTestServer } from './testing/test-server.ts'

/** What reads or writes rows of users without naming them. On a distributed database, each concerns all its parts. */
const written: string[] = [
  "delete from attempts where since <= $1 and key like 'known %' and (key) in ( select key from attempts where since <= $2 ",
  "delete from attempts where since <= $1 and key not like 'known %' and (key) in ( select key from attempts where since <=",
  "delete from attempts where since > $1 and key like 'known %' and (key) in ( select key from attempts where since > $2 an",
  "delete from attempts where since > $1 and key not like 'known %' and (key) in ( select key from attempts where since > $",
  'delete from credentials where expires_at <= $1 and (user_id, token_hash) in ( select user_id, token_hash from credential',
  "delete from guesses where since <= $1 and key like 'known %' and (user_id, key) in ( select user_id, key from guesses wh",
  "delete from guesses where since <= $1 and key not like 'known %' and (user_id, key) in ( select user_id, key from guesse",
  "delete from guesses where since > $1 and key like 'known %' and (user_id, key) in ( select user_id, key from guesses whe",
  "delete from guesses where since > $1 and key not like 'known %' and (user_id, key) in ( select user_id, key from guesses",
  'delete from sessions where created_at <= $1 and (user_id, token_hash) in ( select user_id, token_hash from sessions wher',
  'delete from sessions where last_used_at <= $1 and (user_id, token_hash) in ( select user_id, token_hash from sessions wh',
  'select id from users where closed_at is not null order by closed_at limit $1',
  'select id from users where closed_at is null limit $1',
  'select id from users where remind_from is not null limit 1000',
  'select id from users where trim_at <= $1 and closed_at is null order by trim_at limit $2',
  'select user_id, id from notes where deleted_at <= $1 and user_id not in (select id from users where closed_at is not nul',
  'select user_id, id from tasks where deleted_at <= $1 and user_id not in (select id from users where closed_at is not nul',
  'select user_id, min(due) as due, count(*) as count from (select user_id, due from push_messages where due <= $ order by ',
  "select user_id, min(due) as due, count(*) as count from (select user_id, due from reminder_jobs where state in ('to come",
  'select user_id, seq, kind, item from changes where rules = 0 order by user_id, seq limit 200',
  'select user_id, seq, octet_length(text) as bytes from versions where thinned = 0 and at <= $1 and user_id not in (select',
  'select user_id, seq, octet_length(text) as bytes from versions where thinned = 1 and at <= $1 and user_id not in (select',
]

/** The columns by which tables without a column of the user are distributed. */
const keys: Record<string, string> = { users: 'id', accounts: 'email', attempts: 'key' }

test('the statements that concern all users are a written list', async () => {
  const url = await migratedDatabase('postgres')
  const texts = new Set<string>()
  watchQueries((text, run) => {
    texts.add(text)
    return run()
  })
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
  const draft = { title: 'A #task', dueDate: '2099-01-01', dueTime: '15:00', priority: 'low' }
  const item = (await call('POST /list/addTask', draft)).json.task._id
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
    ...['/account', '/account/sessions', '/tokens', '/reminders'],
    ...['/search?q=task', '/import', '/user/validate'],
  ]
  for (const path of calls) await call(`GET ${path}`)
  await call('DELETE /reminders/missed')
  const stream = await openStream(await listen(server.app), token)
  await stream.next()
  stream.abort()
  await sender.turn()
  await sender.settled()
  await call('POST /user/deleteAccount', { password: person.password })
  // The sweep begins when the server listens, and ends with the guesses.
  const isSwept = () => [...texts].some((text) => /delete from "?guesses"?/.test(text))
  await expect.poll(isSwept).toBe(true)
  expect([...new Set([...texts].flatMap((text) => concernsAll(text) ?? []))].sort()).toEqual(written)
})

/** Returns the shortened text of a statement whose conditions name no user, and no key of a table that has another one. */
function concernsAll(text: string): string | undefined {
  const plain = text.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()
  const [, table = ''] = /(?:^| )(?:from|update|insert into) (\w+)/.exec(plain) ?? []
  if (!/^(?:select|update|delete|with)/.test(plain) || !isOfUsers(table)) return undefined
  const [, ...conditions] = plain.split(/ where /)
  const column = keys[table] ?? 'user_id'
  const named = new RegExp(`\\b(?:${column}|user_id) (?:= |in \\(\\$)|\\) in \\(\\(\\$`)
  return conditions.some((condition) => named.test(condition))
    ? undefined
    : plain.replaceAll(/\d{13}/g, '$').slice(0, 120)
}

/** The keys of messages are of the servers. */
const isOfUsers = (table: string) => table in tables && table !== 'push'
