import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { feedLimits } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { inject } from '../testing/inject.ts'
import { insertRows } from '../testing/stored-rows.ts'
import { serverForAll, type TestUser } from '../testing/test-server.ts'
import { setDisabled } from '../users/administration.ts'
import { startReset } from '../users/password-reset.ts'
import { createCompression } from './compression.ts'

const now = Date.parse('2026-11-27T12:00:00Z')

/** The properties of each event, by their names with parameters; lines are unfolded. */
function eventsIn(text: string) {
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  const events: Record<string, string>[] = []
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/:(.*)/)
    if (line === 'BEGIN:VEVENT') events.push({})
    const event = events.at(-1)
    if (event) event[name] = value
  }
  return events
}

onEveryEngine('the calendar of an account', (engine) => {
  const server = serverForAll(engine)
  let [token, id] = ['', '']
  let user: TestUser
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now }))
  afterAll(() => void vi.useRealTimers())
  beforeEach(async () => {
    user = await server.newUser()
    ;({ token, id } = await user.newToken('feed', { name: 'Daymark, mine; all' }))
  })

  const get = (query = '', headers: Record<string, string> = {}, text = token) =>
    server.app.inject({ method: 'GET', url: `/feed/${text}.ics${query}`, headers })
  const events = async (query?: string) => eventsIn((await get(query)).body)

  test('has an event for each open task with a date: of the whole day, or at its time, which is floating', async () => {
    const rent = { title: 'Pay rent, at last; \\o/', dueDate: '2026-12-01', priority: 'high' } as const
    const whole = await user.addTask(rent)
    const timed = await user.addTask({ title: 'Dentist', dueDate: '2026-12-02', dueTime: '09:30' })
    const late = await user.addTask({ title: 'Overdue', dueDate: '2026-11-01' })
    await user.addTask({ title: 'Someday', dueDate: null })
    const [done, deleted] = [await user.addTask(), await user.addTask()]
    await user.send({ item: done._id, set: { done: true } }, { item: deleted._id, set: { deleted: true } })
    const { body, headers } = await get()
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
    const rentShown = { SUMMARY: 'Pay rent\\, at last\\; \\\\o/', PRIORITY: '1', DTSTAMP: '20261127T120000Z' }
    expect(eventsIn(body)).toMatchObject([
      { UID: late._id, 'DTSTART;VALUE=DATE': '20261101' },
      { UID: whole._id, 'DTSTART;VALUE=DATE': '20261201', ...rentShown },
      { UID: timed._id, DTSTART: '20261202T093000', DURATION: 'PT30M' },
    ])
    expect(body).toContain('\r\nX-WR-CALNAME:Daymark\\, mine\\; all\r\n')
  })

  test('has a repeat as its rule, from its next day of the grid if this one was moved', async () => {
    const repeat = 'FREQ=WEEKLY;COUNT=5'
    const onGrid = await user.addTask({ dueDate: '2026-12-01', repeat })
    const ending = { dueTime: '08:00', repeat: 'FREQ=WEEKLY;UNTIL=20261231' }
    const moved = await user.addTask({ dueDate: '2026-12-01', ...ending })
    await user.send({ item: moved._id, set: { dueDate: '2026-12-03' } })
    const fromDone = await user.addTask({ dueDate: '2026-12-05', repeat, repeatFrom: 'done' })
    expect(await events()).toMatchObject([
      { UID: onGrid._id, 'DTSTART;VALUE=DATE': '20261201', RRULE: repeat },
      { UID: moved._id, DTSTART: '20261203T080000' },
      { UID: `${moved._id}-next`, DTSTART: '20261208T080000', RRULE: 'FREQ=WEEKLY;UNTIL=20261231T235959' },
      { UID: fromDone._id, 'DTSTART;VALUE=DATE': '20261205' },
    ])
    expect((await events()).filter(({ RRULE }) => RRULE)).toHaveLength(2)
    const dueDate = '2027-01-30'
    const { _id } = await user.addTask({ dueDate, repeat: 'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1' })
    const [own, february] = ['FREQ=MONTHLY;BYMONTHDAY=30', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1']
    expect((await events()).slice(-2)).toMatchObject([
      { UID: _id, 'DTSTART;VALUE=DATE': '20270130', RRULE: own },
      { UID: `${_id}-february`, 'DTSTART;VALUE=DATE': '20270228', RRULE: february },
    ])
  })

  test('has the tasks that were done in the last 30 days if the address asks for them', async () => {
    const item = (await user.addTask({ title: 'Done' }))._id
    await user.send({ item, set: { done: true } })
    expect(await events()).toEqual([])
    expect(await events('?done=true')).toMatchObject([{ UID: item, SUMMARY: '✓ Done' }])
    vi.setSystemTime(now + 30 * 86_400_000)
    expect(await events('?done=true')).toEqual([])
    vi.setSystemTime(now)
  })

  test('has lines of at most 75 bytes that end in no character, and no line of a title begins a property', async () => {
    const title = `${'Ü🚢 日本 '.repeat(40)}\u0007`
    await user.addTask({ title })
    await user.addTask({ title: 'One\r\nBEGIN:VALARM\nTwo' })
    const { body } = await get()
    for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(body).not.toContain('\ufffd')
    expect(body).not.toContain('\r\nBEGIN:VALARM')
    const shown = [title.replace('\u0007', ' '), 'One\\nBEGIN:VALARM\\nTwo']
    expect(eventsIn(body)).toMatchObject(shown.map((SUMMARY) => ({ SUMMARY })))
  })

  test('is answered with a 304 until one of its tasks changes, whatever else does and on any day', async () => {
    const task = await user.addTask({ title: 'Pay rent', dueDate: '2026-11-28' })
    const first = await get()
    const etag = String(first.headers.etag)
    const opaque = etag.replace('W/', '')
    const isSame = async (sent: string) => {
      const { statusCode, body, headers } = await get('', { 'if-none-match': sent })
      expect([sent, statusCode, body, headers.etag]).toEqual([sent, 304, '', etag])
    }
    for (const sent of [etag, `"x", ${etag}`, opaque, `"x",${opaque}`, '*']) await isSame(sent)
    expect((await get('', { 'if-none-match': '"x", W/"y"' })).statusCode).toBe(200)
    await user.addNote('A note')
    await user.addTask({ title: 'Someday', dueDate: null })
    await isSame(etag)
    // The task is to come, then due, then overdue.
    for (const days of [1, 2]) {
      vi.setSystemTime(now + days * 86_400_000)
      await isSame(opaque)
      expect((await get()).rawPayload).toEqual(first.rawPayload)
    }
    vi.setSystemTime(now)
    await user.send({ item: task._id, set: { title: 'Pay the rent' } })
    const changed = await get('', { 'if-none-match': etag })
    expect([changed.statusCode, eventsIn(changed.body)[0]?.SUMMARY]).toEqual([200, 'Pay the rent'])
  })

  test('is compressed for a program that accepts it', async () => {
    for (let count = 0; count < 20; count++) await user.addTask({ title: 'Water the plants' })
    const plain = await get()
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
    const by = async (accepted: string) => {
      const { headers, rawPayload } = await get('', { 'accept-encoding': accepted })
      expect(headers).toMatchObject({ vary: 'accept-encoding', etag: plain.headers.etag })
      return { encoding: headers['content-encoding'], bytes: rawPayload }
    }
    for (const [accepted, encoding, read] of [
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip;q=0.5, br;q=1.0', 'br', brotliDecompressSync],
      ['GZIP, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const { encoding: used, bytes } = await by(accepted)
      expect([used, read(bytes)]).toEqual([encoding, plain.rawPayload])
      expect(bytes.length).toBeLessThan(plain.rawPayload.length / 3)
    }
    for (const accepted of ['identity', 'deflate', 'gzip;q=0'])
      expect(await by(accepted)).toEqual({ encoding: undefined, bytes: plain.rawPayload })
  })

  test('has at most 5,000 events, the coming ones first, and says so', async () => {
    const row = (index: number) => ({
      ...{ user_id: user.id, id: newId(), version: 1, created_at: now, title: `Task ${index}`, body: '' },
      ...{ due_date: index < 100 ? '2026-01-01' : '2026-12-24', priority: 1 },
    })
    const rows = Array.from({ length: feedLimits.events + 50 }, (_, index) => row(index))
    await insertRows(server.database, 'tasks', rows)
    const { body } = await get()
    const found = eventsIn(body)
    expect(found).toHaveLength(feedLimits.events)
    expect(found.filter((event) => event['DTSTART;VALUE=DATE'] === '20261224')).toHaveLength(4950)
    expect(body.replaceAll('\r\n ', '')).toContain('this calendar has 5\\,000 at most')
  })

  test('is found by no other token, and its token opens nothing else', async () => {
    const other = await server.newUser()
    await other.addTask({ title: 'Secret' })
    const tokens = ['read', 'add', 'write'].map(async (scope) => (await user.newToken(scope)).token)
    const link = await server.database.write((db) => startReset(db, user.id, now))
    const { key } = (await user.call('POST /export')).json.export
    for (const text of [user.token, link, key, ...(await Promise.all(tokens))])
      expect((await get('', {}, text)).statusCode).toBe(403)
    const mixed = Buffer.from(token, 'base64url')
    Buffer.from(other.token, 'base64url').copy(mixed, 0, 0, 16)
    for (const text of ['x', 'x'.repeat(64), 'x'.repeat(10_000), '%00', '..%2f', mixed.toString('base64url')])
      expect([text, (await get('', {}, text)).statusCode]).toEqual([text, expect.toBeOneOf([400, 404])])
    const paths = ['', '.ics/', '.ics.ics', '.ics/../x'].map((end) => token + end)
    for (const path of [`.ics?token=${token}`, ...paths]) {
      const { statusCode, body } = await inject(server.app, { method: 'GET', url: `/feed/${path}` })
      expect([path, statusCode, body.includes('VCALENDAR')]).toEqual([path, 404, false])
    }
    const conditions = { 'if-modified-since': new Date(now).toUTCString(), range: 'bytes=0-1' }
    expect((await get('', conditions)).statusCode).toBe(200)
    for (const endpoint of ['GET /list/getLatestTasks', 'GET /tokens', 'GET /user/validate'])
      expect((await server.call(endpoint, { token })).status).toBe(403)
    expect(JSON.stringify(await events())).not.toContain('Secret')
  })

  test('has no body for HEAD, and is answered to no other method', async () => {
    await user.addTask({ title: 'Secret' })
    const by = (method: 'HEAD' | 'POST' | 'DELETE' | 'PROPFIND') =>
      inject(server.app, { method, url: `/feed/${token}.ics` })
    const { statusCode, body, headers } = await by('HEAD')
    expect([statusCode, body, headers.etag]).toEqual([200, '', (await get()).headers.etag])
    for (const method of ['POST', 'DELETE', 'PROPFIND'] as const)
      expect((await by(method)).body).not.toContain('Secret')
  })

  test.each([
    ['its token is revoked', () => user.call(`DELETE /tokens/${id}`)],
    ['the account is disabled', () => server.database.write((db) => setDisabled(db, user.id, now))],
  ])('ends when %s, also for a program that has a copy of it', async (_, end) => {
    const { statusCode, headers } = await get()
    expect(statusCode).toBe(200)
    await end()
    const copy = { 'if-none-match': String(headers.etag) }
    for (const sent of [{}, copy]) expect((await get('', sent)).statusCode).toBe(404)
    const head = await inject(server.app, { method: 'HEAD', url: `/feed/${token}.ics`, headers: copy })
    expect(head.statusCode).toBe(404)
  })
})

test('an account has one calendar compressed at a time, and nobody waits for another one', async () => {
  const compressed = createCompression()
  const text = 'BEGIN:VEVENT '.repeat(1000)
  const ofOwners = (owners: string[]) => Promise.all(owners.map((owner) => compressed(owner, text, 'gzip')))
  const found = await ofOwners(['one', 'one', 'other', 'third'])
  expect(found.map(({ encoding }) => encoding)).toEqual(['gzip', undefined, 'gzip', undefined])
  expect((await ofOwners(['one']))[0]?.encoding).toBe('gzip')
})
