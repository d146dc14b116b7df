import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { reminderKeyLife } from '#contract/reminders.ts'
import type { Settings } from '#contract/settings.ts'
import { readConfig } from '../config.ts'
import { newId } from '../new-id.ts'
import { idOf } from '../sessions/token.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { newBrowser, type Received, startPushService, vapidClaims } from '../testing/push-service.ts'
import { pushServiceForAll, sendersForAll, startSenders } from '../testing/reminder-senders.ts'
import { copyTask, execute, insertRows } from '../testing/stored-rows.ts'
import type { TestClient } from '../testing/test-client.ts'
import { serverForAll, type TestUser } from '../testing/test-server.ts'
import { setDisabled } from '../users/administration.ts'
import { press } from './press.ts'
import { setSending } from './push-keys.ts'
import { occurrenceOf, reminderKey } from './reminder-keys.ts'
import { reminderSender } from './reminder-sender.ts'

const environment = { PUSH_HOSTS: 'localhost', CONTACT: 'admin@example.org' }
const zone = 'Europe/Berlin'
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

const tomorrow = Temporal.Now.plainDateISO(zone).add({ days: 1 }).toString()
const dayAfter = Temporal.PlainDate.from(tomorrow).add({ days: 1 }).toString()
const at = (time: string, on = tomorrow, where = zone) =>
  Temporal.PlainDateTime.from(`${on}T${time}`).toZonedDateTime(where).epochMilliseconds

test('a key of a notification is valid for 48 hours, and with the secret of its server alone', () => {
  const [secret, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const occurrence = {
    ...{ userId: newId(), subscription: newId(), session: newId(), item: newId() },
    ...{ dueDate: tomorrow, dueTime: '15:00' },
  }
  const key = reminderKey(secret, occurrence, 1000)
  expect(occurrenceOf(secret, key, 1000 + reminderKeyLife - 1)).toEqual(occurrence)
  expect(occurrenceOf(secret, key, 1000 + reminderKeyLife)).toBeUndefined()
  expect(occurrenceOf(other, key, 1000)).toBeUndefined()
})

onEveryEngine('reminders', (engine) => {
  const service = pushServiceForAll()
  const one = serverForAll(engine, environment)
  const two = serverForAll(one, environment)
  const senders = sendersForAll([one, two], environment)
  beforeEach(async () => {
    deliver()
    await one.database.write(async (db) => {
      await db.deleteFrom('reminder_jobs').execute()
      await db.deleteFrom('push_messages').execute()
      await setSending(db, true, 0)
    })
  })
  const until = (now: number) => senders.until(now)

  /** Lets one server take up what is due at `now`, without waiting for answers. */
  async function begin(now: number) {
    senders.clock.now = now
    await senders.all[0]?.turn()
  }

  /** Subscribes a new browser with the session of a client. */
  async function withBrowser<Client extends TestClient>(client: Client) {
    const browser = newBrowser(service.origin, `/${newId()}`)
    const headers = { origin: 'https://tasks.example.org' }
    const body = browser.subscription
    expect((await client.call('PUT /reminders/subscription', { body, headers })).status).toBe(200)
    return { ...client, browser }
  }

  async function newPerson(settings: Partial<Settings> = {}) {
    const user = await one.newUser()
    await user.setSettings({ zone, ...settings })
    return await withBrowser(user)
  }
  type Person = Pick<Awaited<ReturnType<typeof newPerson>>, 'browser'>

  const got = ({ browser }: Person) => service.received.filter(({ path }) => path === browser.path)
  const shown = (person: Person) => got(person).map(({ body }) => person.browser.decrypt(body).notification)
  async function gotBy(now: number, person: Person) {
    await until(now)
    return got(person)
  }
  async function shownBy(now: number, person: Person) {
    await until(now)
    return shown(person)
  }
  const stateOf = async (user: TestUser) => (await user.call('GET /reminders')).json.reminders
  const missedOf = async (user: TestUser) => (await stateOf(user)).missed.map(({ item }) => item)
  function answer(status: number) {
    service.behaviour.answer = (response) => response.writeHead(status).end()
  }
  function deliver() {
    service.received.length = 0
    answer(201)
  }
  const timed = { dueDate: tomorrow, dueTime: '15:00' }
  /** Adds a task for tomorrow. Returns its id. */
  const addTask = async (person: TestUser, dueTime = '15:00', title = 'Call') =>
    (await person.addTask({ title, dueDate: tomorrow, dueTime }))._id
  const addTasks = (person: TestUser, count: number, dueTime?: string) =>
    Promise.all(Array.from({ length: count }, () => addTask(person, dueTime)))

  test('a task with a time reminds at its time, once, with a message that its browser decrypts', async () => {
    const ada = await newPerson({ reminderTitles: true })
    const { _id } = await ada.addTask({ title: 'Call the dentist', ...timed })
    expect(await gotBy(at('14:59'), ada)).toEqual([])
    for (const time of ['15:00', '15:30']) expect(await gotBy(at(time), ada)).toHaveLength(1)
    const [{ headers, body }] = got(ada) as [Received]
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '7200', urgency: 'high' })
    expect(headers.topic).toMatch(/^[\w-]{32}$/)
    const { key } = await stateOf(ada)
    const claims = vapidClaims(headers.authorization ?? '', key)
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:admin@example.org' })
    expect(ada.browser.decrypt(body)).toMatchObject({
      web_push: 8030,
      notification: {
        title: 'Call the dentist',
        navigate: 'https://tasks.example.org/dashboard',
        tag: _id,
        actions: [{ action: 'done' }, { action: 'in-an-hour' }, { action: 'tomorrow' }],
        data: { items: [_id] },
      },
    })
    expect(body.length).toBeLessThan(4096)
  })

  test('a title travels only if its person allows it', async () => {
    const ada = await newPerson()
    await ada.addTask({ title: 'My secret', ...timed })
    expect(await shownBy(at('15:00'), ada)).toMatchObject([{ title: 'Reminder' }])
    expect(JSON.stringify(shown(ada))).not.toContain('secret')
  })

  test('all reminders of a person at one minute arrive as one message, once on each of two devices, while two servers send', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => newPerson()))
    const second = await withBrowser(await (people[0] as TestUser).newSession())
    for (const person of people) await addTasks(person, 2)
    await until(at('15:00'))
    for (const person of [...people, second])
      expect(shown(person)).toMatchObject([{ title: '2 reminders', data: { items: { length: 2 } } }])
    expect(service.received).toHaveLength(31)
  })

  test('a task that is done, deleted or without a time reminds no more, and a moved one at the new time', async () => {
    const ada = await newPerson()
    const ids = await addTasks(ada, 4, '15:00')
    const changes = [{ done: true }, { deleted: true }, { dueTime: null }, { dueTime: '16:00' }]
    for (const [index, values] of changes.entries()) await ada.change(ids[index] as string, values)
    expect(await gotBy(at('15:30'), ada)).toEqual([])
    await until(at('16:00'))
    expect(shown(ada).map(({ tag }) => tag)).toEqual([ids[3]])
  })

  test('relative reminders go on to the next occurrence of a repeat, and a skipped one moves with its day', async () => {
    const ada = await newPerson()
    const repeat = { dueDate: tomorrow, repeat: 'FREQ=DAILY', reminders: `0d09:00 ${dayAfter}T08:00` }
    const { _id: item } = await ada.addTask(repeat)
    await ada.change(item, { done: true })
    const [reminder, ...others] = await shownBy(at('10:00', dayAfter), ada)
    expect(others).toEqual([])
    expect(reminder.tag).not.toBe(item)
    const third = Temporal.PlainDate.from(dayAfter).add({ days: 1 }).toString()
    await ada.change(reminder.tag, { dueDate: third, repeatDay: third })
    expect(await gotBy(at('08:00', third), ada)).toHaveLength(1)
    expect(await gotBy(at('09:00', third), ada)).toHaveLength(2)
  })

  test('a reminder in the past never fires', async () => {
    const ada = await newPerson()
    const past = Temporal.Now.plainDateTimeISO(zone).subtract({ minutes: 1 })
    await ada.addTask({ dueDate: null, reminders: past.toString({ smallestUnit: 'minute' }) })
    expect(await gotBy(Date.now() + minute, ada)).toEqual([])
  })

  test('jobs to come are computed anew when the zone or the default changes, and a pinned zone stays', async () => {
    const ada = await newPerson()
    await addTask(ada)
    await ada.setSettings({ zone: 'America/New_York', zonePinned: true, defaultReminder: '60m' })
    await ada.setSettings({ zone })
    expect((await ada.call('GET /settings')).json.settings.zone).toBe('America/New_York')
    expect(await gotBy(at('13:59', tomorrow, 'America/New_York'), ada)).toEqual([])
    expect(await gotBy(at('14:00', tomorrow, 'America/New_York'), ada)).toHaveLength(1)
  })

  test.each([
    ['a move to the east', { zone: 'Asia/Tokyo' }],
    ['a change of the default', { defaultReminder: '60m' }],
  ])('a reminder whose time is over after %s fires at once, and once', async (_, settings) => {
    const ada = await newPerson()
    await addTask(ada)
    await until(at('14:30'))
    await ada.setSettings(settings)
    for (const time of ['14:30', '15:00']) {
      expect(await gotBy(at(time), ada)).toHaveLength(1)
    }
  })

  test('in quiet hours reminders wait for their end and come as one', async () => {
    const ada = await newPerson({ quietFrom: '22:00', quietUntil: '07:00', reminderTitles: true })
    const late = await addTask(ada, '22:30', 'Late')
    const later = await addTask(ada, '23:30', 'Later')
    const done = await addTask(ada, '23:00')
    await until(at('23:45'))
    await ada.change(done, { done: true })
    expect(await gotBy(at('06:59', dayAfter), ada)).toEqual([])
    const [message, ...more] = await shownBy(at('07:00', dayAfter), ada)
    expect(more).toEqual([])
    expect(message).toMatchObject({ title: '2 reminders', tag: expect.stringMatching(/^several /) })
    expect(message.data.items.sort()).toEqual([late, later].sort())
    expect(message.body).toMatch(/Late/)
  })

  test('a server that was off sends what is younger than two hours, and the page says what it missed', async () => {
    const ada = await newPerson()
    const [old, young] = [await addTask(ada, '12:59'), await addTask(ada, '13:00')]
    expect((await shownBy(at('15:00'), ada)).map(({ tag }) => tag)).toEqual([young])
    expect((await stateOf(ada)).missed).toEqual([{ item: old, at: new Date(at('12:59')).toISOString() }])
    await ada.call('DELETE /reminders/missed')
    expect((await stateOf(ada)).missed).toEqual([])
  })

  test('a copy sends nothing until its operator lets it, and then nothing from before', async () => {
    const ada = await newPerson()
    await addTask(ada, '14:30')
    const after = await addTask(ada)
    const sending = (isOn: boolean) => one.database.write((db) => setSending(db, isOn, at('14:45')))
    await sending(false)
    await until(at('14:50'))
    expect((await stateOf(ada)).isOn).toBe(false)
    await sending(true)
    expect((await shownBy(at('15:00'), ada)).map(({ tag }) => tag)).toEqual([after])
  })

  /** Stores reminders of one task of a person, which is read once for each. */
  const addReminders = async (person: TestUser, count: number, due: number) => {
    const item = await addTask(person)
    const stored = one.database.read.selectFrom('reminder_jobs').selectAll()
    const [job] = await stored.where('item', '=', item).execute()
    if (!job) throw new Error('the task has no reminder')
    const tasks = Array.from({ length: count }, () => ({ id: newId() }))
    await copyTask(one.database, item, tasks)
    const jobs = tasks.map(({ id }) => ({ ...job, item: id, due }))
    await insertRows(one.database, 'reminder_jobs', jobs)
  }

  test('10,000 reminders of a person at one minute are one message, and another person gets theirs in the same turn', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()]
    await until(at('14:00'))
    await addReminders(ada, 10_000, at('15:00') - 1)
    const item = await addTask(bob)
    await begin(at('15:00'))
    await senders.all[0]?.settled()
    expect([...shown(ada), ...shown(bob)]).toMatchObject([{ title: '10001 reminders' }, { tag: item }])
    // The other server takes up what this one has not marked within its lease.
    for (const time of ['15:00', '15:01']) await until(at(time))
    expect(service.received).toHaveLength(2)
    const jobs = one.database.read.selectFrom('reminder_jobs').select('item').limit(1)
    expect(await jobs.execute()).toEqual([])
  })

  if (engine === 'postgres')
    test('a server whose clock is three minutes ahead sends nothing early, and loses no reminder of the next minutes', async () => {
      const ada = await newPerson({ zone: 'UTC' })
      const config = readConfig({ LOG_LEVEL: 'silent', ...environment })
      const sender = reminderSender({ config, database: one.database }, () => {})
      onTestFinished(() => sender.close())
      const realNow = Date.now
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 3 * minute)
      onTestFinished(() => clock.mockRestore())
      const reminders = new Date(realNow() + 119_000).toISOString().slice(0, 16)
      const { _id: item } = await ada.addTask({ dueDate: '2099-01-01', reminders })
      await sender.turn()
      await sender.settled()
      expect(got(ada)).toEqual([])
      const states = one.database.read.selectFrom('reminder_jobs').select(['item', 'state'])
      expect(await states.execute()).toEqual([{ item, state: 'to come' }])
    })

  test('a message that waited for two hours is missed, once for two devices, and one from before a copy is not sent', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()]
    await withBrowser(await ada.newSession())
    const item = await addTask(ada)
    await addTask(bob, '16:59')
    answer(503)
    for (const time of ['15:00', '16:59', '17:01']) await until(at(time))
    expect(await missedOf(ada)).toEqual([item])
    deliver()
    await one.database.write((db) => setSending(db, true, at('17:02')))
    await until(at('17:03'))
    expect(service.received).toEqual([])
    expect(await missedOf(bob)).toEqual([])
  })

  test('of a message that waited, the reminders of two hours are missed and the younger ones arrive', async () => {
    const ada = await newPerson()
    const [old, young] = [await addTask(ada, '13:05'), await addTask(ada, '14:55')]
    answer(503)
    expect(await shownBy(at('15:00'), ada)).toMatchObject([{ title: '2 reminders' }])
    deliver()
    expect(await shownBy(at('15:06'), ada)).toMatchObject([{ tag: young }])
    expect(await missedOf(ada)).toEqual([old])
  })

  test('two messages about several tasks do not replace each other', async () => {
    const ada = await newPerson()
    const ids = [...(await addTasks(ada, 2)), ...(await addTasks(ada, 2, '15:01'))]
    answer(503)
    for (const time of ['15:00', '15:01']) await until(at(time))
    deliver()
    const messages = await shownBy(at('15:02'), ada)
    expect(messages.flatMap(({ data }) => data.items).sort()).toEqual(ids.sort())
    expect(new Set(messages.map(({ tag }) => tag)).size).toBe(2)
    expect(new Set(got(ada).map(({ headers }) => headers.topic)).size).toBe(2)
  })

  test('a task that was moved while its message waited is not in it', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()]
    const [moved = '', ...others] = await addTasks(ada, 6, '15:00')
    const single = await addTask(bob)
    answer(503)
    await until(at('15:00'))
    await ada.change(moved, { dueTime: '18:00' })
    await bob.change(single, { dueTime: '18:00' })
    deliver()
    await until(at('15:01'))
    const items = shown(ada).flatMap(({ data }) => data.items)
    expect(items.sort()).toEqual(others.sort())
    expect(got(bob)).toEqual([])
  })

  test.each([400, 401, 403, 413])('a message answered with %i is missed after one try', async (status) => {
    const ada = await newPerson()
    const item = await addTask(ada)
    answer(status)
    for (const time of ['15:00', '16:00']) expect(await gotBy(at(time), ada)).toHaveLength(1)
    expect(await missedOf(ada)).toEqual([item])
  })

  test('what waits for the end of quiet hours comes at once when these are switched off', async () => {
    const ada = await newPerson({ quietFrom: '14:00', quietUntil: '18:00' })
    await addTasks(ada, 2, '15:00')
    expect(await gotBy(at('15:00'), ada)).toEqual([])
    await ada.setSettings({ quietFrom: null, quietUntil: null })
    expect(await shownBy(at('15:01'), ada)).toMatchObject([{ title: '2 reminders' }])
  })

  test('a message that a push service answers with 500 leaves a line in the log', async () => {
    const ada = await newPerson()
    await addTask(ada)
    const failures: string[] = []
    const sender = startSenders([one], environment, (error) => failures.push((error as Error).message))
    answer(500)
    await until(at('14:00'))
    await sender.until(at('15:00'))
    await sender.close()
    expect(failures).toEqual([`${new URL(service.origin).host} answered 500`])
  })

  test('a message that is refused is tried at most six times, with growing pauses', async () => {
    const ada = await newPerson()
    await addTask(ada)
    service.behaviour.answer = (response) => response.writeHead(503, { 'retry-after': '30' }).end()
    let now = at('15:00')
    const pauses: number[] = []
    for (let attempts = 1; attempts <= 6; attempts++) {
      expect(await gotBy(now, ada)).toHaveLength(attempts)
      const [message] = await one.database.read.selectFrom('push_messages').select('due').execute()
      if (!message) break
      pauses.push((message.due - now) / 1000)
      now = message.due
    }
    expect(pauses).toEqual([30, 30, 80, 320, 1280])
    expect(await gotBy(now + hour, ada)).toHaveLength(6)
  })

  test.each([404, 410])(
    'a subscription that is answered with %i is removed, its session gets to know it, and this and later reminders are missed unless another device gets them',
    async (status) => {
      const [ada, bob] = [await newPerson(), await newPerson()]
      const { browser: second } = await withBrowser(await bob.newSession())
      const [item, later] = [await addTask(ada), await addTask(ada, '15:20')]
      await addTask(bob)
      service.behaviour.answer = (response, { path }) =>
        response.writeHead(path === second.path ? 201 : status).end()
      await until(at('15:00'))
      expect(await stateOf(ada)).toMatchObject({ subscriptions: [], hasEnded: true, missed: [{ item }] })
      const ended = { subscriptions: [{ current: false }], hasEnded: true, missed: [] }
      expect(await stateOf(bob)).toMatchObject(ended)
      expect(await gotBy(at('15:30'), ada)).toHaveLength(1)
      expect((await missedOf(ada)).sort()).toEqual([item, later].sort())
      await withBrowser(ada)
      expect(await stateOf(ada)).toMatchObject({ subscriptions: [{ current: true }], hasEnded: false })
    },
  )

  test('a subscription that a server of an earlier version has ended is known to its session, and stops no reminders of others', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()]
    await execute(one.database, sql`update subscriptions set endpoint = '' where user_id = ${ada.id}`)
    const item = await addTask(ada)
    await addTask(bob)
    expect(await gotBy(at('15:00'), bob)).toHaveLength(1)
    expect(await stateOf(ada)).toMatchObject({ subscriptions: [], hasEnded: true, missed: [{ item }] })
  })

  test('a redirect is not followed, an answer of 100 MB is not read, and an endpoint that does not answer delays nobody', async () => {
    const [ada, eve, bob] = [await newPerson(), await newPerson(), await newPerson()]
    for (const person of [ada, eve, bob]) await addTask(person)
    const other = await startPushService()
    let isOpen = true
    service.behaviour.answer = (response, { path }) => {
      const location = `${other.origin}/stolen`
      if (path === ada.browser.path) return response.writeHead(307, { location }).end()
      // It never answers.
      if (path === bob.browser.path) return response
      response.writeHead(201).on('close', () => (isOpen = false))
      return Readable.from(Array(100).fill(Buffer.alloc(1_048_576))).pipe(response)
    }
    for (const time of ['14:00', '15:00']) await begin(at(time))
    await expect.poll(() => service.received.length).toBe(3)
    await expect.poll(() => isOpen).toBe(false)
    const kate = await newPerson()
    await addTask(kate)
    for (const time of ['14:00', '15:00']) await begin(at(time))
    await expect.poll(() => got(kate)).toHaveLength(1)
    expect(other.received).toEqual([])
    service.endConnections()
    await senders.all[0]?.settled()
    await other.close()
  })

  const countOf = async ({ id }: TestUser) => {
    const subscriptions = one.database.read.selectFrom('subscriptions').select('id')
    return (await subscriptions.where('user_id', '=', id).execute()).length
  }

  test('logging out, the end of a session and a disabled account end a subscription', async () => {
    const [ada, eve, bob] = [await newPerson(), await newPerson(), await newPerson()]
    await ada.call('POST /user/logout')
    await (await eve.newSession()).call('DELETE /account/sessions')
    await one.database.write((db) => setDisabled(db, bob.id, Date.now()))
    for (const user of [ada, eve, bob]) expect(await countOf(user)).toBe(0)
  })

  // In npm run torture, 10,000.
  const many = process.env.TORTURE ? 10_000 : 50

  test(`a session has one subscription, and ${many} in a row are never more than one`, async () => {
    const ada = await newPerson()
    const { keys } = ada.browser.subscription
    for (let index = 0; index < many; index++) {
      const body = { endpoint: `${service.origin}/${index}`, keys }
      await ada.call('PUT /reminders/subscription', { body })
    }
    expect(await countOf(ada)).toBe(1)
    const { subscriptions } = await stateOf(ada)
    expect(subscriptions).toMatchObject([{ endpoint: `${service.origin}/${many - 1}`, current: true }])
    await ada.call(`DELETE /reminders/subscriptions/${subscriptions[0]?.id}`)
    expect(await countOf(ada)).toBe(0)
  })

  test('an account has as many subscriptions as sessions, and the one of the session that a login ends goes', async () => {
    const ada = await newPerson()
    for (let index = 0; index < 20; index++) await withBrowser(await ada.newSession())
    expect(await countOf(ada)).toBe(20)
  })

  test.each([
    ...`
      http://localhost/x https://127.0.0.1/x https://[::1]/x https://example.org/x
      https://fcm.googleapis.com:8443/x https://fcm.googleapis.com.example.org/x
      https://push.services.mozilla.com/x https://user:password@fcm.googleapis.com/x
      https://fcm.googleapis.com@example.org/x https://fcm.googleapis.com./x
      https://x.push.services.mozilla.com.example.org/x https://.push.services.mozilla.com/x
      https://fcm.googleapis.com%2eexample.org/x https://[::ffff:127.0.0.1]/x https://2130706433/x
      https://0x7f.1/x https://localhost./x https://ended.invalid/ javascript:fetch(1) data:text/plain,x
      //fcm.googleapis.com/x ftp://fcm.googleapis.com/x x
    `
      .trim()
      .split(/\s+/),
    'https://fcm.googleap\u0131s.com/x',
  ])('%s is not a push service', async (endpoint) => {
    const user = await one.newUser()
    const { keys } = newBrowser(service.origin, '/').subscription
    const { status, json } = await user.call('PUT /reminders/subscription', { body: { endpoint, keys } })
    expect([status, json.errors?.[0]?.code]).toEqual([400, 'not-a-push-service'])
    expect(await countOf(user)).toBe(0)
  })

  test('keys that no browser has are rejected', async () => {
    const user = await one.newUser()
    const { endpoint, keys } = newBrowser(service.origin, '/').subscription
    const point = Buffer.alloc(65, 4).toString('base64url')
    for (const wrong of [{ p256dh: 'x' }, { p256dh: point }, { auth: 'x' }]) {
      const body = { endpoint, keys: { ...keys, ...wrong } }
      expect((await user.call('PUT /reminders/subscription', { body })).status).toBe(400)
    }
  })

  /** A person who has got the reminder of a task, and the key in it. */
  async function reminded(draft: object = {}) {
    const ada = await newPerson()
    const task = await ada.addTask({ title: 'Call', ...timed, ...draft })
    const [{ data }] = await shownBy(at('15:00'), ada)
    const press = (action: string, mutation = newId(), key = data.key, more: object = {}) =>
      one.call('POST /reminders/press', { body: { key, action, mutation, ...more } })
    const read = () => ada.task(task._id)
    return { ada, task, press, read, key: data.key as string }
  }

  test('Done, Tomorrow and In an hour need the key of the message alone', async () => {
    const today = Temporal.Now.plainDateISO(zone)
    const done = await reminded({ repeat: 'FREQ=DAILY' })
    expect((await done.press('done')).json).toEqual({ applied: true })
    expect((await done.read()).doneAt).not.toBeNull()
    expect((await done.ada.call('GET /list/getUpcomingTasks')).json.lists).toHaveLength(1)
    const moved = await reminded()
    expect((await moved.press('tomorrow')).json).toEqual({ applied: true })
    expect((await moved.read()).dueDate).toBe(today.add({ days: 1 }).toString())
    const again = await reminded()
    const mutation = newId()
    for (let times = 0; times < 2; times++) await again.press('in-an-hour', mutation)
    const { reminders, ...rest } = await again.read()
    expect(rest).toMatchObject({ dueDate: tomorrow, dueTime: '15:00' })
    expect(reminders).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
    expect(await gotBy(Date.now() + hour, again.ada)).toHaveLength(2)
  })

  test.each(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'a press of a device whose clock says %s moves the task to the day after one of the last two',
    async (at) => {
      const { press, read } = await reminded()
      expect((await press('tomorrow', newId(), undefined, { at })).json).toEqual({ applied: true })
      const today = Temporal.Now.plainDateISO(zone)
      const days = [-2, -1, 0].map((offset) => today.add({ days: offset + 1 }).toString())
      expect(days).toContain((await read()).dueDate)
    },
  )

  test('In an hour that falls into the hour that a clock repeats reminds after it', async () => {
    const ada = await newPerson()
    const item = await addTask(ada)
    const devices = one.database.read.selectFrom('subscriptions').selectAll()
    const [device] = await devices.where('user_id', '=', ada.id).execute()
    const occurrence = {
      ...{ userId: device?.user_id ?? '', subscription: device?.id ?? '', item, ...timed },
      session: idOf(device?.token_hash ?? ''),
    }
    const life = { idle: 1000 * day, max: 1000 * day }
    // 02:30 in summer time; an hour later it is 02:30 again.
    const now = Date.parse('2026-10-25T00:30:00Z')
    await one.database.write((db) =>
      press(db, occurrence, { action: 'in-an-hour', mutation: newId() }, { quota: 1e9, now, life }),
    )
    expect((await ada.task(item)).reminders).toBe('2026-10-25T03:00')
  })

  test('on another day, another time or a task that is done, a press does nothing', async () => {
    for (const values of [{ dueDate: dayAfter }, { dueTime: '16:00' }, { done: true }, { deleted: true }]) {
      const { ada, task, press, read } = await reminded()
      await ada.change(task._id, values)
      const before = await read()
      for (const action of ['done', 'in-an-hour', 'tomorrow'])
        expect((await press(action)).json).toEqual({ applied: false })
      expect(await read()).toEqual(before)
    }
  })

  test('a key that was changed, of an ended subscription or of another server allows nothing', async () => {
    const { ada, press, key } = await reminded()
    const [text = '', tag = ''] = key.split('.')
    const values = JSON.parse(Buffer.from(text, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify(values.with(5, Date.now() + 9 * day))).toString('base64url')
    for (const wrong of ['', 'x', text, `${text}.x`, `${forged}.${tag}`])
      expect((await press('done', newId(), wrong)).status).toBe(410)
    expect((await ada.call('GET /account', { token: key })).status).toBe(401)
    await ada.call('POST /user/logout')
    expect((await press('done')).status).toBe(410)
    // Its next session has the same endpoint.
    const next = await ada.newSession()
    await next.call('PUT /reminders/subscription', { body: ada.browser.subscription })
    expect((await press('done')).status).toBe(410)
  })
})
